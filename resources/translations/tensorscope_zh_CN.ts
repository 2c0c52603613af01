<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>TensorScope</name>
    <message>
      <location filename="../../tensorscope/analysis/findings/activation_before_loss.py" />
      <source>takes log-probabilities</source>
      <translation>接收对数概率</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/activation_before_loss.py" />
      <source>the second sigmoid, in the loss</source>
      <translation>第二个 sigmoid，在损失中</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/activation_before_loss.py" />
      <source>the second softmax, in the loss</source>
      <translation>损失中的第二个 softmax</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/activation_before_loss.py" />
      <source>{inner} feeds {outer}, which takes a sigmoid itself: gradients shrink and the loss stays high. Give the loss the scores before the sigmoid.</source>
      <translation>{inner} 的结果传给 {outer}，而后者自身会取 sigmoid：梯度变小，损失居高不下。请把 sigmoid 之前的分数传给损失。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/activation_before_loss.py" />
      <source>{inner} feeds {outer}, which takes log-probabilities and gets probabilities. Use log_softmax, or cross_entropy on the scores.</source>
      <translation>{inner} 的结果传给 {outer}，后者需要对数概率，得到的却是概率。请使用 log_softmax，或对分数使用 cross_entropy。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/activation_before_loss.py" />
      <source>{inner} feeds {outer}: the loss takes a softmax of probabilities and cannot get near zero. Give the loss the scores before the softmax.</source>
      <translation>{inner} 的输出又送入 {outer}：损失对概率再做一次 softmax，无法接近零。请把 softmax 之前的分数交给损失。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/backward_without_graph.py" />
      <source>backward was called here</source>
      <translation>在此处调用了 backward</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/backward_without_graph.py" />
      <source>backward() has no graph to run through. It was lost here: {why}.</source>
      <translation>backward() 没有可以经过的计算图。它在此处丢失：{why}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/backward_without_graph.py" />
      <source>backward() has no graph to run through: no tensor that the loss was computed from requires grad. Are all parameters frozen?</source>
      <translation>backward() 没有可以经过的计算图：计算损失所用的张量都不需要梯度。是否所有参数都被冻结了？</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/dropped_results.py" />
      <source>{name} is named here but not called, so the line does nothing. Write {name}().</source>
      <translation>此处写了 {name} 却没有调用，所以这一行什么也不做。请写 {name}()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/dropped_results.py" />
      <source>{name}() gives out another tensor and leaves this one as it is, and its result is dropped here. Write x = x.{name}().</source>
      <translation>{name}() 返回另一个张量，而不改变原张量；此处丢弃了它的结果。请写 x = x.{name}()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/evaluation.py" />
      <source>also here</source>
      <translation>还有此处</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/evaluation.py" />
      <source>{module} has been in eval() mode since it was evaluated, and is trained like that: dropout is off, batch norm learns no statistics. Call {module}.train() before training goes on.</source>
      <translation>{module} 自评估后一直处于 eval() 模式，并在此状态下训练：dropout 关闭，批归一化不学习统计量。继续训练前请调用 {module}.train()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/evaluation.py" />
      <source>{module} is called without gradients {count} times in a row, in train() mode: dropout changes its answers and batch norm its statistics. Call {module}.eval() before evaluating, and train() after.</source>
      <translation>{module} 在 train() 模式下连续 {count} 次不带梯度地被调用：dropout 会改变其输出，批归一化会改变其统计量。评估前请调用 {module}.eval()，之后调用 train()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/evaluation.py" />
      <source>{module} is called {count} times in a row with gradients enabled, and no backward uses these graphs: they cost memory and time. Evaluate inside `with torch.no_grad():`.</source>
      <translation>{module} 在启用梯度的情况下连续被调用 {count} 次，而没有反向传播使用这些计算图：它们耗费内存和时间。请在 `with torch.no_grad():` 内评估。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/graph_cut.py" />
      <source>it takes in a tensor's .data or a detached copy</source>
      <translation>它使用了张量的 .data 或分离的副本</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/graph_cut.py" />
      <source>it was computed under no_grad</source>
      <translation>它在 no_grad 下计算</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/graph_cut.py" />
      <source>it was detached</source>
      <translation>它被 detach 了</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/graph_cut.py" />
      <source>its value was read into Python with .item()</source>
      <translation>它的值用 .item() 读入了 Python</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/graph_cut.py" />
      <source>{operator} has no derivative</source>
      <translation>{operator} 没有导数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/growing_backward.py" />
      <source>Each backward from this line runs through the graphs of all earlier ones as well ({first} nodes at first, {last} now). Detach what is carried over, and leave retain_graph out.</source>
      <translation>此行的每次反向传播还会经过之前所有次的计算图（起初 {first} 个节点，现在 {last} 个）。请 detach 带入下一次的内容，并去掉 retain_graph。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/growing_graph.py" />
      <source>This sum runs over the iterations and keeps the graph of each of them ({count} so far). Add numbers: .item() or .detach().</source>
      <translation>此求和跨越多次迭代，并保留每次迭代的计算图（目前 {count} 个）。请累加数值：用 .item() 或 .detach()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/late_clipping.py" />
      <source>Gradients are clipped after step() has used them, so the limit {limit:g} has no effect. Clip between backward() and step().</source>
      <translation>梯度在 step() 使用之后才裁剪，因此限值 {limit:g} 不起作用。请在 backward() 与 step() 之间裁剪。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/late_clipping.py" />
      <source>has used the gradients here</source>
      <translation>在此已使用梯度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/leaf_loss.py" />
      <source>: it was computed under no_grad</source>
      <translation>：它是在 no_grad 下计算的</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/leaf_loss.py" />
      <source>: its value was read into Python with .item() on the way</source>
      <translation>：途中用 .item() 把数值读到了 Python</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/leaf_loss.py" />
      <source>backward() starts at a tensor that has no graph, so it reaches none of the optimizer's {count} parameters{how}.</source>
      <translation>backward() 从没有计算图的张量开始，因此到达不了优化器的 {count} 个参数中的任何一个{how}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/leaf_loss.py" />
      <source>the backward that reaches nothing</source>
      <translation>什么也到达不了的反向传播</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/leaf_replaced.py" />
      <source>stumbles over the None</source>
      <translation>在此遇到 None 而出错</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/leaf_replaced.py" />
      <source>{name} becomes the result of {operator}, which is no leaf: the next backward leaves its .grad None. Write in place: with torch.no_grad(): {name} -= …</source>
      <translation>{name} 变成了 {operator} 的结果，不再是叶子张量：下次反向传播后其 .grad 仍为 None。请原地写入：with torch.no_grad(): {name} -= …</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/loss_as_gradient.py" />
      <source>backward() was given the loss itself as the incoming gradient: every gradient is multiplied by the loss. Call backward() without it.</source>
      <translation>backward() 把损失本身当作传入的梯度：每个梯度都被乘以损失。请不带参数调用 backward()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/lost_tie.py" />
      <source>{alias} and {name} were one parameter and are two now: they drift apart. Tie them again after loading.</source>
      <translation>{alias} 与 {name} 原是同一个参数，现在成了两个，会逐渐分离。请在加载后重新共享。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/misfit_input.py" />
      <source>channels</source>
      <translation>个通道</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/misfit_input.py" />
      <source>features</source>
      <translation>个特征</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/misfit_input.py" />
      <source>made here</source>
      <translation>在此创建</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/misfit_input.py" />
      <source>{kind} {name} takes {takes} {what} and got {got}. Change its size, or the shape of what comes in (flatten, transpose, view).</source>
      <translation>{kind} {name} 需要 {takes} {what}，却得到 {got}。请修改它的大小，或输入的形状（flatten、transpose、view）。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/never_stepped.py" />
      <source>the optimizer</source>
      <translation>优化器</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/never_stepped.py" />
      <source>{count} backwards have left gradients and no optimizer has stepped: the parameters never change. Call step() after backward().</source>
      <translation>已有 {count} 次反向传播留下了梯度，却没有优化器执行 step：参数从不改变。请在 backward() 之后调用 step()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/nonfinite_gradients.py" />
      <source> {node} is the first on its way whose derivative can be infinite.</source>
      <translation> {node} 是路径上第一个导数可能为无穷大的节点。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/nonfinite_gradients.py" />
      <source>The gradient of {name} has a norm of {norm:.3g}: the next steps cannot stay finite. Scale its initial values or clip the gradients.</source>
      <translation>{name} 的梯度范数为 {norm:.3g}：接下来的更新无法保持有限。请缩放其初始值或裁剪梯度。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/nonfinite_gradients.py" />
      <source>also possible: {node}</source>
      <translation>也可能是：{node}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/nonfinite_gradients.py" />
      <source>{bad} of {count} gradients are not finite from here on ({names}).{blame}</source>
      <translation>从这里开始，{count} 个梯度中有 {bad} 个非有限（{names}）。{blame}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>, {share:.0f} % of it {category}</source>
      <translation>，其中 {share:.0f} % 为{category}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>A lower precision or a smaller model makes it smaller.</source>
      <translation>降低精度或缩小模型可以减小它。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>An optimizer with less state (SGD, Adafactor) or sharding makes it smaller.</source>
      <translation>使用状态更少的优化器（SGD、Adafactor）或分片可以减小它。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>Clear gradients as soon as they are used: zero_grad(set_to_none=True).</source>
      <translation>梯度用完后请立即清除：zero_grad(set_to_none=True)。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>Look at the shapes on that line: a broadcast or a copy may be larger than meant.</source>
      <translation>请查看那一行的形状：广播或复制可能比预想的大。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>Move one batch at a time to the device.</source>
      <translation>每次只把一个批次移到设备上。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>Smaller batches, torch.utils.checkpoint or autocast make activations smaller.</source>
      <translation>减小批次、使用 torch.utils.checkpoint 或 autocast 可以减小激活。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>The process was killed by SIGKILL, as the system does when memory runs out. {held} were alive then{most}. {advice}</source>
      <translation>进程被 SIGKILL 杀死，系统在内存耗尽时会这样做。当时有 {held} 存活{most}。{advice}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>The process was killed by SIGKILL: from outside, or by the system. Its tensors held {held} of host memory then, which alone is seldom too much: dmesg or the job's scheduler says who did it.</source>
      <translation>进程被 SIGKILL 杀死：来自外部，或由系统所为。当时它的张量占用主机内存 {held}，仅此很少会过多：dmesg 或作业调度器会说明是谁所为。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>{bytes} of it were made here</source>
      <translation>其中 {bytes} 在此处创建</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/out_of_memory.py" />
      <source>{device} could not give {asked}; {held} were alive{most}. {advice}</source>
      <translation>{device} 无法提供 {asked}；有 {held} 存活{most}。{advice}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/outer_broadcast.py" />
      <source>{first} and {second} broadcast to [{count}, {count}]: every prediction meets every target. Give both one shape (squeeze or unsqueeze).</source>
      <translation>{first} 与 {second} 广播成 [{count}, {count}]：每个预测都与每个目标相遇。请让两者形状一致（squeeze 或 unsqueeze）。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>Something</source>
      <translation>某处代码</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>Step after both backwards, or run forward again with the new weights.</source>
      <translation>请在两次反向传播之后再更新，或用新权重重新前向。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>This backward runs through the graph of an earlier iteration ({node}), whose weights a step has changed since. Detach what is carried over.</source>
      <translation>此次反向传播经过更早迭代的计算图（{node}），其权重已被更新改变。请对带到下一次迭代的内容使用 detach。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>Write to a copy (.clone()), or do not write in place.</source>
      <translation>请写入副本（.clone()），或不要就地写入。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>a tensor</source>
      <translation>一个张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>changes {name}</source>
      <translation>改变了 {name}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>made before the step that changed {name}</source>
      <translation>在改变 {name} 的更新之前创建</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>needed by this backward</source>
      <translation>此次反向传播需要它</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>saved here</source>
      <translation>在此保存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/overwritten_saved_tensor.py" />
      <source>{writer} overwrites {what}, which {node} saved for this backward ('{saved}', {shape}). {cure}</source>
      <translation>{writer} 覆盖了 {what}，而 {node} 为此次反向传播保存了它（'{saved}'，{shape}）。{cure}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/parameters_without_optimizer.py" />
      <source>the first of them was made here</source>
      <translation>其中第一个在此处创建</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/parameters_without_optimizer.py" />
      <source>{count} parameters get gradients and belong to no optimizer ({names}): they never change. Give them to it, or freeze them (requires_grad_(False)).</source>
      <translation>{count} 个参数得到梯度，却不属于任何优化器（{names}）：它们从不改变。请把它们交给优化器，或冻结它们（requires_grad_(False)）。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/piling_up.py" />
      <source>; {names} holds some of it</source>
      <translation>；{names} 持有其中一部分</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/piling_up.py" />
      <source>made here, and still alive</source>
      <translation>在此创建，仍然存活</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/piling_up.py" />
      <source>{bytes} made in {count} past iterations are still alive and grow with every one{held}. Keep numbers, or detached copies of what is needed.</source>
      <translation>过去 {count} 次迭代中创建的 {bytes} 仍然存活，并随每次迭代增长{held}。请只保留数值，或保留所需内容的 detach 副本。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/refused_writes.py" />
      <source>A leaf that requires grad is written in place where autograd records. Do updates by hand inside `with torch.no_grad():`.</source>
      <translation>在 autograd 记录时就地写入了需要梯度的叶子张量。请在 `with torch.no_grad():` 中手动更新。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/refused_writes.py" />
      <source>The optimizer was given the result of {operator}, not a leaf. Make the tensor where it is to live, with requires_grad=True.</source>
      <translation>交给优化器的是 {operator} 的结果，不是叶子张量。请在目标设备上直接创建张量，并设 requires_grad=True。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/refused_writes.py" />
      <source>The tensor written to was expanded: its elements share bytes (stride 0). Write to a copy: .clone() after expand, or repeat().</source>
      <translation>写入的张量经过 expand：其元素共享字节（步幅 0）。请写入副本：在 expand 之后 .clone()，或用 repeat()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/refused_writes.py" />
      <source>given to the optimizer</source>
      <translation>交给了优化器</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/refused_writes.py" />
      <source>written here</source>
      <translation>在此写入</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/repeated_hooks.py" />
      <source>A hook is registered on {module} again in every iteration and never removed: it has {count} by now, and each call runs them all. Register it once, or keep the handle and call its remove().</source>
      <translation>每次迭代都在 {module} 上再次注册钩子而从不移除：现在已有 {count} 个，每次调用都会全部运行。请只注册一次，或保留句柄并调用其 remove()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/saved_views.py" />
      <source>torch.save writes {written} for tensors that show {shown}: a view brings the whole storage behind it. Save copies: .clone() each view first.</source>
      <translation>torch.save 为显示 {shown} 的张量写入了 {written}：视图会带上其背后的整个存储。请保存副本：先对每个视图 .clone()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/second_backward.py" />
      <source>This backward freed {node}, through which another loss runs as well. Add the losses up and call backward() once, or keep the graph.</source>
      <translation>此次反向传播释放了 {node}，而另一个损失也经过它。请把损失相加后只调用一次 backward()，或保留计算图。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/second_backward.py" />
      <source>needs it again</source>
      <translation>再次需要它</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/second_backward.py" />
      <source>shared by both losses</source>
      <translation>两个损失共用</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/second_backward.py" />
      <source>this backward freed it</source>
      <translation>此次反向传播释放了它</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/second_backward.py" />
      <source>this backward needs it again</source>
      <translation>此次反向传播再次需要它</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/second_backward.py" />
      <source>{node} was made once and lies on the path of every backward; an earlier one has freed it. Make it anew each time, or detach it.</source>
      <translation>{node} 只创建了一次，却在每次反向传播的路径上；较早的一次已将其释放。请每次重新创建，或将其 detach。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/small_views.py" />
      <source>a view</source>
      <translation>一个视图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/small_views.py" />
      <source>{count} views of {shown} in all keep {held} of storage alive (such as {name}). Keep copies instead: .clone().</source>
      <translation>共 {shown} 的 {count} 个视图使 {held} 的存储保持存活（例如 {name}）。请改为保留副本：.clone()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/steps_too_large.py" />
      <source>With a learning rate of {rate:g} a step of {name} is {ratio:.3g} times as large as the weights it changes; about a thousandth is usual. Try a rate {less} times smaller.</source>
      <translation>学习率为 {rate:g} 时，{name} 一步的更新是所改权重的 {ratio:.3g} 倍；通常约为千分之一。请尝试缩小到 1/{less} 的学习率。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/uncleared_gradients.py" />
      <source>This backward adds to gradients that {name}.step() has already used: they are never cleared. Call {name}.zero_grad() before it.</source>
      <translation>此次反向传播加到了 {name}.step() 已使用过的梯度上：它们从未清零。请在此之前调用 {name}.zero_grad()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/undivided_accumulation.py" />
      <source>{count} backwards add up before each step and none of the losses is divided, so gradients are {count} times those of one batch. Divide the loss by {count}, unless it is a sum or the learning rate is meant so.</source>
      <translation>每次更新前累积 {count} 次反向传播，而损失都没有除以次数，因此梯度是单个批次的 {count} 倍。请将损失除以 {count}，除非损失是求和，或学习率本就如此设定。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/unreached_parameters.py" />
      <source>; {names} take part in the training and belong to no optimizer</source>
      <translation>；{names} 参与训练却不属于任何优化器</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/unreached_parameters.py" />
      <source>No backward reaches {count} of the optimizer's {held} parameters ({names}): {why}.</source>
      <translation>优化器的 {held} 个参数中有 {count} 个从未被反向传播到达（{names}）：{why}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/unreached_parameters.py" />
      <source>their module is called, but the graph from the loss does not lead to them</source>
      <translation>它们的模块被调用，但从损失出发的计算图到达不了它们</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/unreached_parameters.py" />
      <source>their module is never called</source>
      <translation>它们的模块从未被调用</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/unreached_parameters.py" />
      <source>this backward does not reach them</source>
      <translation>此次反向传播到达不了它们</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/unreached_parameters.py" />
      <source>{optimizer} holds {count} tensors ({shapes}) that are in no module and get no gradient{instead}. Make the optimizer after the model is final.</source>
      <translation>{optimizer} 持有 {count} 个张量（{shapes}），它们不在任何模块中，也得不到梯度{instead}。请在模型定型之后再创建优化器。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/unused_gradients.py" />
      <source>zero_grad() throws away the gradients of {wasted} of {reached} backwards before {name}.step() has used them. Clear only after a step.</source>
      <translation>在 {name}.step() 使用之前，zero_grad() 丢弃了 {reached} 次反向传播中 {wasted} 次的梯度。请仅在更新之后清零。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/vanishing_gradients.py" />
      <source>Gradients shrink from {last:.2g} near the loss to {first:.2g} near the input (root mean square): the first layers hardly learn. ReLU or GELU in place of sigmoids, normalisation, residual connections or other initial values keep them up.</source>
      <translation>梯度从靠近损失处的 {last:.2g} 缩小到靠近输入处的 {first:.2g}（均方根）：最前面的层几乎学不到东西。用 ReLU 或 GELU 代替 sigmoid、归一化、残差连接或其他初始值可以避免。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/zero_gradients.py" />
      <source>Something behind it is zero.</source>
      <translation>其后有某处为零。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/zero_gradients.py" />
      <source>The gradients of {count} parameters ({names}) are exactly zero since backward {backward}. {why} Look at the scale of its input, the bias, the learning rate.</source>
      <translation>{count} 个参数（{names}）的梯度从反向传播 {backward} 起恰好为零。{why} 请检查其输入的尺度、偏置和学习率。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/zero_gradients.py" />
      <source>{node} lets nothing through, being on its flat side.</source>
      <translation>{node} 处于平坦一侧，不让任何梯度通过。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/zero_learning_rate.py" />
      <source>The last {count} steps of {name} had a learning rate of 0 and changed nothing. Look at the scheduler's length.</source>
      <translation>{name} 的最后 {count} 步学习率为 0，没有任何改变。请检查调度器的长度。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/zeroed_gradients.py" />
      <source>The hook leaves {share:.0f} % of the gradient of {name} zero, but the optimizer has {what}, which moves these elements all the same. Put the old values back after each step, or give the parameter a group without it.</source>
      <translation>该钩子使 {name} 的梯度有 {share:.0f} % 为零，但优化器有{what}，仍会移动这些元素。请在每步之后恢复旧值，或把该参数放入没有它的参数组。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/analysis/findings/zeroed_gradients.py" />
      <source>the optimizer with {what}</source>
      <translation>带{what}的优化器</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>Job {name} is over ({outcome}), and its recording {path} is gone.</source>
      <translation>作业 {name} 已结束（{outcome}），其录制文件 {path} 已不存在。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>Job {name} is over ({outcome}); this is its recording, {path}</source>
      <translation>作业 {name} 已结束（{outcome}）；这是它的录制文件 {path}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>No job is served; start one with tensorscope serve train.py.</source>
      <translation>没有正在提供服务的作业；用 tensorscope serve train.py 启动一个。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>There are several jobs; say which: tensorscope attach JOB</source>
      <translation>有多个作业；请指明哪一个：tensorscope attach JOB</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>its host was ended before its script</source>
      <translation>其宿主进程先于脚本结束</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/join.py" />
      <source>There is no torch in the environment of {interpreter}.</source>
      <translation>{interpreter} 的环境中没有 torch。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/join.py" />
      <source>building the probe for this torch, once; it takes ten to thirty seconds …</source>
      <translation>正在为此 torch 编译探针，只需一次；需要十到三十秒 …</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/join.py" />
      <source>serving job {name}. To look at it: tensorscope attach {name}</source>
      <translation>正在提供作业 {name}。查看它：tensorscope attach {name}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/query_ranks.py" />
      <source>There is no rank {rank} on record; there is rank {ranks}.</source>
      <translation>记录中没有 rank {rank}；有 rank {ranks}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/cli/serve.py" />
      <source>Serving job {name}. To look at it: tensorscope attach {name}</source>
      <translation>正在提供作业 {name}。查看它：tensorscope attach {name}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/export/graph_dot.py" />
      <source>{count} node</source>
      <translation>{count} 个节点</translation>
    </message>
    <message>
      <location filename="../../tensorscope/export/graph_dot.py" />
      <source>{count} nodes</source>
      <translation>{count} 个节点</translation>
    </message>
    <message>
      <location filename="../../tensorscope/export/sharing_picture.py" />
      <source>sharing graph</source>
      <translation>共享图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>All actions…</source>
      <translation>所有操作…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Back</source>
      <translation>后退</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Bookmark</source>
      <translation>书签</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Breakpoint at this line</source>
      <translation>在此行设断点</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Change to the other theme</source>
      <translation>切换到另一种主题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Clear the selection</source>
      <translation>清除选择</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Close window</source>
      <translation>关闭窗口</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Close; the script runs on</source>
      <translation>关闭；脚本继续运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Continue</source>
      <translation>继续</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Dark or light</source>
      <translation>深色或浅色</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>End the script</source>
      <translation>结束脚本</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Export picture of the window…</source>
      <translation>导出窗口图片…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Export picture…</source>
      <translation>导出图片…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Find an action by its words</source>
      <translation>按文字查找操作</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Follow the run</source>
      <translation>跟随运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Give every panel its first place and size</source>
      <translation>让每个面板恢复最初的位置和大小</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Give the focused panel a window of its own, and back</source>
      <translation>把当前面板移到独立窗口，或移回</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Give the focused panel the whole window, and back</source>
      <translation>让当前面板占满窗口，再按恢复</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Give the keys to the next panel that is shown</source>
      <translation>把键盘焦点交给下一个可见面板</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Give the keys to the panel before</source>
      <translation>把键盘焦点交给上一个面板</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Go to the next problem</source>
      <translation>转到下一个问题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Go to the problem before</source>
      <translation>转到上一个问题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Go to {panel}</source>
      <translation>转到{panel}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Hold before the next node of a backward</source>
      <translation>在反向传播的下一个节点前暂停</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Iteration</source>
      <translation>迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Keep this run as a recording</source>
      <translation>将本次运行保存为录制文件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Keys</source>
      <translation>快捷键</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Let the script run on</source>
      <translation>让脚本继续运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Look back one node in what is recorded; Node goes forward again</source>
      <translation>在记录中回看一个节点；“节点”再向前</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Mark the row chosen in Events, else the moment that is looked at</source>
      <translation>标记“事件”中所选的行,否则标记正在查看的时刻</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Maximize panel</source>
      <translation>最大化面板</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Module</source>
      <translation>模块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Next panel</source>
      <translation>下一个面板</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Next problem</source>
      <translation>下一个问题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Next rank</source>
      <translation>下一个 rank</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Next tab</source>
      <translation>下一个标签页</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Node</source>
      <translation>节点</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Open a recording in a window of its own</source>
      <translation>在新窗口中打开录制文件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Open recording…</source>
      <translation>打开录制文件…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Out</source>
      <translation>跳出</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Panel in a window of its own</source>
      <translation>独立窗口中的面板</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Previous panel</source>
      <translation>上一个面板</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Previous problem</source>
      <translation>上一个问题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Previous rank</source>
      <translation>上一个 rank</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Previous tab</source>
      <translation>上一个标签页</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Reset the layout</source>
      <translation>重置布局</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Restart</source>
      <translation>重新运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Return from the past, then clear the selection</source>
      <translation>先从过去返回，再清除选择</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Return the cursor to now</source>
      <translation>让光标回到现在</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run on and hold before a node of another module</source>
      <translation>继续运行，在另一个模块的节点前暂停</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run on and hold before the first node of the next iteration</source>
      <translation>继续运行，在下一次迭代的第一个节点前暂停</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run on and hold before the first node outside the block around this one</source>
      <translation>继续运行，在当前所在块之外的第一个节点前暂停</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run the script again from its start</source>
      <translation>从头重新运行脚本</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run this node and hold before the next</source>
      <translation>运行此节点，在下一个节点前暂停</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Save as…</source>
      <translation>另存为…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Save the focused panel as a picture</source>
      <translation>将当前面板保存为图片</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Save the whole window as a picture</source>
      <translation>将整个窗口保存为图片</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Set or take away a breakpoint at the line that is selected in Source</source>
      <translation>在“源代码”中选中的行设置或取消断点</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Settings…</source>
      <translation>设置…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Show every key</source>
      <translation>显示所有快捷键</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Show the next rank of the job</source>
      <translation>显示作业的下一个 rank</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Show the next tab beside the focused panel's</source>
      <translation>显示当前面板旁的下一个标签页</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Show the rank before</source>
      <translation>显示上一个 rank</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Show the tab before it</source>
      <translation>显示上一个标签页</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Theme, language, what a run keeps, breakpoints, layout</source>
      <translation>主题、语言、运行保留的内容、断点、布局</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/bookmark_button.py" />
      <source>Bookmarks</source>
      <translation>书签</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/bookmark_button.py" />
      <source>Bookmarks: Ctrl+B sets one at the chosen row, or at the moment that is looked at</source>
      <translation>书签:Ctrl+B 在所选行或正在查看的时刻设置</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/bookmark_button.py" />
      <source>Forget all bookmarks</source>
      <translation>清除所有书签</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/bookmark_button.py" />
      <source>None yet: Ctrl+B sets one</source>
      <translation>还没有:按 Ctrl+B 设置</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>Another breakpoint, Enter to set it</source>
      <translation>另一个断点，按 Enter 设置</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>Break</source>
      <translation>断点</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>Break: {what}</source>
      <translation>断点：{what}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>NaN, Inf</source>
      <translation>NaN、Inf</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>No breakpoint is set: click left of a line in Source, or choose here</source>
      <translation>未设断点：在“源代码”中点击行的左侧，或在此选择</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>Remove all of these</source>
      <translation>全部移除</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>node:Addmm*  module:h.2  param:*.bias  line:model.py:77  iteration:3  grad&gt;100</source>
      <translation>node:Addmm*  module:h.2  param:*.bias  line:model.py:77  iteration:3  grad&gt;100</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/command_palette.py" />
      <source>Find an action</source>
      <translation>查找操作</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/command_palette.py" />
      <source>No action has these words.</source>
      <translation>没有包含这些文字的操作。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Bookmark set: {mark}</source>
      <translation>已设置书签:{mark}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Bookmark taken away: {mark}</source>
      <translation>已移除书签:{mark}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Export picture</source>
      <translation>导出图片</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>No line is selected: click one in Source first.</source>
      <translation>未选中任何行：请先在“源代码”中点击一行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>No node ran before this moment: F10 goes to the next one, End to the end of what is recorded.</source>
      <translation>此刻之前没有节点运行过：F10 转到下一个节点，End 转到记录的末尾。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Open a recording</source>
      <translation>打开录制文件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>PNG picture (*.png)</source>
      <translation>PNG 图片 (*.png)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Save the recording</source>
      <translation>保存录制文件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Saved {chosen}</source>
      <translation>已保存 {chosen}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>TensorScope recording (*.tscope)</source>
      <translation>TensorScope 录制文件 (*.tscope)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>The picture could not be written to {chosen}: choose a folder that exists and can be written.</source>
      <translation>无法将图片写入 {chosen}：请选择一个存在且可写的文件夹。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Find a key</source>
      <translation>查找按键</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>No key has these words.</source>
      <translation>没有包含这些词的按键。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Panels</source>
      <translation>面板</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Run</source>
      <translation>运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Shift+click</source>
      <translation>Shift+点击</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Step: {what}</source>
      <translation>单步：{what}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>The whole run</source>
      <translation>整个运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Window</source>
      <translation>窗口</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Backward before, after</source>
      <translation>上一个、下一个反向</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Copy the pointed row, else all</source>
      <translation>复制指针所在行，否则全部</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Copy what is chosen</source>
      <translation>复制所选</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Earlier, later</source>
      <translation>更早、更晚</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Filter</source>
      <translation>筛选</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Find</source>
      <translation>查找</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Find in the file</source>
      <translation>在文件中查找</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>First, last iteration</source>
      <translation>首次、末次迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Fold, open</source>
      <translation>折叠、展开</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Forget the mark</source>
      <translation>取消标记</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Go to a line</source>
      <translation>转到行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Go to an iteration or a time</source>
      <translation>转到某次迭代或时间</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Go to the peak</source>
      <translation>转到峰值</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Iteration before, iteration after</source>
      <translation>上一次、下一次迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Line before, line after</source>
      <translation>上一行、下一行代码</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Mark a moment to compare</source>
      <translation>标记用于比较的时刻</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Next costly, next linked line</source>
      <translation>下一高开销行、下一关联行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Next find, find before</source>
      <translation>下一个、上一个匹配</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Open it</source>
      <translation>打开</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Open or fold the group</source>
      <translation>展开或折叠分组</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Open; unfold, fold</source>
      <translation>打开；展开、折叠</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Page up, page down</source>
      <translation>上翻、下翻</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Pin, mute, show alone</source>
      <translation>固定、静音、单独显示</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Row before, row after</source>
      <translation>上一行、下一行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Row, iteration before and after</source>
      <translation>前后的行、迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Scroll aside</source>
      <translation>左右滚动</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Select all</source>
      <translation>全选</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Sharing: move</source>
      <translation>共享：移动</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Sharing: show all</source>
      <translation>共享：显示全部</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Sharing: zoom in and out</source>
      <translation>共享：放大、缩小</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Show all</source>
      <translation>显示全部</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Show all, zoom to the selection</source>
      <translation>显示全部、缩放到所选</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Show its time on every axis</source>
      <translation>在所有时间轴上显示其时间</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Start of the run, now</source>
      <translation>运行开始、现在</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Stop a layout, clear</source>
      <translation>停止布局、清除</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Walk over nodes</source>
      <translation>在节点间移动</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Way from the selection to it</source>
      <translation>从所选到它的路径</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Zoom in and out</source>
      <translation>放大、缩小</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Zoom in, out, 100 %</source>
      <translation>放大、缩小、100 %</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panel_keys.py" />
      <source>Zoom in, out; earlier, later</source>
      <translation>放大、缩小；更早、更晚</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Events</source>
      <translation>事件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Gradients</source>
      <translation>梯度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Graph</source>
      <translation>计算图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Inspector</source>
      <translation>检查器</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Memory timeline</source>
      <translation>内存时间线</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Output</source>
      <translation>输出</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Problems</source>
      <translation>问题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Source</source>
      <translation>源代码</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Storages</source>
      <translation>存储</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/code_area.py" />
      <source>Breakpoint: click to take it away (F9)</source>
      <translation>断点：点击取消 (F9)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/code_area.py" />
      <source>Breakpoint: no operator has run on this line yet</source>
      <translation>断点：此行还没有运行过算子</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/code_area.py" />
      <source>Click to hold backwards before the nodes of this line (F9)</source>
      <translation>点击后，反向传播会在此行的节点前暂停 (F9)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Examples: {example}</source>
      <translation>示例:{example}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Filter: op, module, &gt; 1 MiB</source>
      <translation>筛选：算子、模块、&gt; 1 MiB</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Go to an iteration or a time: 12, 1.5 s</source>
      <translation>转到迭代或时间:12、1.5 s</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Nothing fits the filter.</source>
      <translation>没有符合筛选条件的内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Take a word away, or Esc to empty it.</source>
      <translation>去掉一个词,或按 Esc 清空。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Time that lies in no row under it; click for all of it</source>
      <translation>不在其下任何一行内的时间；点击显示全部时间</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Time with all that ran inside; click for its own alone</source>
      <translation>包含内部所有运行的时间；点击只显示自身时间</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Words, or fields and limits: {example}</source>
      <translation>词语,或字段与限值:{example}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>{sum} found</source>
      <translation>找到 {sum} 个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>Gradient norms by parameter and iteration</source>
      <translation>按参数和迭代的梯度范数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>in no optimizer: it is never stepped</source>
      <translation>不在任何优化器中：从不更新</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>iteration {iteration}</source>
      <translation>迭代 {iteration}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>no leaf: its gradient was kept by retain_grad()</source>
      <translation>非叶子张量：其梯度由 retain_grad() 保留</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>{row}, iteration {iteration}: {facts}</source>
      <translation>{row}，迭代 {iteration}：{facts}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Copy all rows</source>
      <translation>复制所有行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Copy the row's numbers  (Ctrl+C)</source>
      <translation>复制此行的数值  (Ctrl+C)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Fold into its module  (−)</source>
      <translation>折叠到所属模块  (−)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Leave the curve out  (M)</source>
      <translation>隐藏此曲线  (M)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Open the module  (+)</source>
      <translation>展开模块  (+)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Pin the curve  (P)</source>
      <translation>固定此曲线  (P)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Show only this curve  (O)</source>
      <translation>只显示此曲线  (O)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Curves</source>
      <translation>曲线</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Gradient norm, row × iteration</source>
      <translation>梯度范数，行 × 迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>How the gradients are shown</source>
      <translation>梯度的显示方式</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Leave outliers out of the range</source>
      <translation>范围中排除离群值</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Logarithmic axis</source>
      <translation>对数坐标轴</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Range, axis, rows and curves</source>
      <translation>范围、坐标轴、行和曲线</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Rows</source>
      <translation>行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Show all curves again</source>
      <translation>重新显示所有曲线</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Show the whole map  (F)</source>
      <translation>显示整张热图  (F)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Stage of the gradients</source>
      <translation>梯度的阶段</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>What a row of the map stands for</source>
      <translation>热图每行代表什么</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>What the curves below the map show</source>
      <translation>热图下方的曲线显示什么</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>modules</source>
      <translation>模块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>modules, depth {depth}</source>
      <translation>模块，深度 {depth}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>parameters</source>
      <translation>参数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>whole model</source>
      <translation>整个模型</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph.py" />
      <source>Backward {backward}: {count} nodes, {done} done.</source>
      <translation>反向 {backward}：{count} 个节点，已完成 {done} 个。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph.py" />
      <source>Click where the path leads to. Esc leaves it.</source>
      <translation>点击路径的终点。按 Esc 退出。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph.py" />
      <source>Saved {path}</source>
      <translation>已保存 {path}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Close</source>
      <translation>折叠</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Close everything</source>
      <translation>全部折叠</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Copy name</source>
      <translation>复制名称</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Fit into the panel</source>
      <translation>适应面板</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Let it close again</source>
      <translation>取消固定</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Open</source>
      <translation>展开</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Open everything</source>
      <translation>全部展开</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Path from the selection to here</source>
      <translation>从所选到此处的路径</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Path to…</source>
      <translation>到…的路径</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Pin: keep it open</source>
      <translation>固定：保持展开</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Unroll {count} equal ones</source>
      <translation>展开 {count} 个相同的块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Zoom to it</source>
      <translation>缩放到此处</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>DOT of every node for graphviz (*.dot)</source>
      <translation>graphviz 用的全部节点 DOT (*.dot)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>Export graph</source>
      <translation>导出计算图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>Name the file .png, .svg, .pdf or .dot: {name} is none of them.</source>
      <translation>文件名请以 .png、.svg、.pdf 或 .dot 结尾：{name} 都不是。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>PDF of every node by graphviz (*.pdf)</source>
      <translation>由 graphviz 绘制的全部节点 PDF (*.pdf)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>PDF picture (*.pdf)</source>
      <translation>PDF 图片 (*.pdf)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>SVG picture (*.svg)</source>
      <translation>SVG 图片 (*.svg)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_finder.py" />
      <source>none</source>
      <translation>无</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_finder.py" />
      <source>{count} found</source>
      <translation>找到 {count} 个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_finder.py" />
      <source>{number} of {count}</source>
      <translation>第 {number} 个，共 {count} 个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Close everything in the graph</source>
      <translation>折叠图中全部分组</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Compare</source>
      <translation>比较</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Drawn from live tensors: while the script is held in this backward</source>
      <translation>由活动张量绘制：仅当脚本停在此次反向传播中</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Export</source>
      <translation>导出</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Export graph…</source>
      <translation>导出计算图…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Groups</source>
      <translation>分组</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Open everything in the graph</source>
      <translation>展开图中全部分组</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>There is no other backward yet.</source>
      <translation>还没有其他反向传播。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>What changed since the backward before</source>
      <translation>与上一次反向传播相比的变化</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>With another backward</source>
      <translation>与另一次反向传播比较</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>torchviz picture of this backward…</source>
      <translation>此次反向传播的 torchviz 图片…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_marks.py" />
      <source>{nodes} saved this storage, or made its gradient</source>
      <translation>{nodes} 保存了此存储，或产生了它的梯度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Arrows</source>
      <translation>方向键</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>As data flows, from the inputs</source>
      <translation>按数据流向，从输入开始</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>As gradients flow, from the loss</source>
      <translation>按梯度流向，从损失开始</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Attributes of operators</source>
      <translation>算子的属性</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Direction</source>
      <translation>方向</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Element types on edges</source>
      <translation>边上显示元素类型</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Full names</source>
      <translation>完整名称</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Left to right</source>
      <translation>从左到右</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Parameters</source>
      <translation>参数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Saved bytes</source>
      <translation>保存的字节</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Shapes on edges</source>
      <translation>边上显示形状</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Show</source>
      <translation>显示</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Times</source>
      <translation>耗时</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Top to bottom</source>
      <translation>从上到下</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_side.py" />
      <source>Close the list  (Esc)</source>
      <translation>关闭列表  (Esc)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_side.py" />
      <source>Found in the graph</source>
      <translation>在图中找到</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_side_kinds.py" />
      <source>Kinds of hits</source>
      <translation>匹配的种类</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Backward after this one  ]</source>
      <translation>下一次反向传播  ]</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Backward before this one  [</source>
      <translation>上一次反向传播  [</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Colour: {name}</source>
      <translation>着色：{name}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Directions, what is shown, groups, comparing, exports</source>
      <translation>方向、显示内容、分组、比较、导出</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Find a node, module, parameter</source>
      <translation>查找节点、模块、参数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Follow the cursor and the run again</source>
      <translation>重新跟随光标和运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>What the colours of the nodes show</source>
      <translation>节点颜色表示什么</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>backward {backward}</source>
      <translation>反向传播 {backward}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>DOT (*.dot)</source>
      <translation>DOT (*.dot)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>PDF (*.pdf)</source>
      <translation>PDF (*.pdf)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>PNG (*.png)</source>
      <translation>PNG (*.png)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>SVG (*.svg)</source>
      <translation>SVG (*.svg)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>torchviz picture of backward {number}</source>
      <translation>反向传播 {number} 的 torchviz 图片</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/heat_button.py" />
      <source>By what lines are compared, and the hottest lines (H, Shift+H)</source>
      <translation>各行按什么比较，以及最热的行（H、Shift+H）</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/heat_button.py" />
      <source>Heat: {heat}</source>
      <translation>热度：{heat}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/heat_button.py" />
      <source>Hottest lines</source>
      <translation>最热的行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/heat_button.py" />
      <source>{heat}, {when}</source>
      <translation>{heat}，{when}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/inspector.py" />
      <source>Copy all</source>
      <translation>全部复制</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/inspector.py" />
      <source>Copy all as JSON</source>
      <translation>全部复制为 JSON</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/inspector.py" />
      <source>Copy row</source>
      <translation>复制行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/inspector.py" />
      <source>Copy value</source>
      <translation>复制值</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Blocks</source>
      <translation>块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Categories</source>
      <translation>类别</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Click selects the block</source>
      <translation>点击选中此块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Device</source>
      <translation>设备</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>How the blocks are listed</source>
      <translation>内存块的列出方式</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Ranks</source>
      <translation>各 rank</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Save this picture…</source>
      <translation>保存此图片…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Seconds, or allocations and frees: then idle time takes no room</source>
      <translation>按秒，或按分配与释放：后者不为空闲时间留出位置</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Show the allocated memory of the other ranks</source>
      <translation>显示其他 rank 已分配的内存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Time</source>
      <translation>时间</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>What the x axis counts</source>
      <translation>横轴的计量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>at cursor</source>
      <translation>光标处</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>each</source>
      <translation>逐个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>lines</source>
      <translation>行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>now</source>
      <translation>现在</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>{device}: {now} allocated at {time}, at most {peak} at {peak_time}.</source>
      <translation>{device}：{time} 时已分配 {now}，最多 {peak}（{peak_time}）。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_camera.py" />
      <source>Save picture of the memory timeline</source>
      <translation>保存内存时间线的图片</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_side.py" />
      <source>Changed since {time}</source>
      <translation>自 {time} 以来的变化</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_side.py" />
      <source>Largest at peak</source>
      <translation>峰值时最大</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_side.py" />
      <source>Live at cursor</source>
      <translation>光标处存活</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_side.py" />
      <source>{count} block</source>
      <translation>{count} 个块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_side.py" />
      <source>{count} blocks</source>
      <translation>{count} 个块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>A run in the window keeps it; record keeps it with --capture.</source>
      <translation>在窗口中运行会保留输出；record 加上 --capture 也会保留。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>Choose all to see the others.</source>
      <translation>选择“全部”以查看其他流。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>Follow</source>
      <translation>跟随</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>It printed nothing.</source>
      <translation>它没有打印任何内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>Its stdout and its stderr were watched to the end.</source>
      <translation>它的 stdout 和 stderr 一直被观察到结束。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>Keep the newest line in view</source>
      <translation>始终显示最新一行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>No line of this stream.</source>
      <translation>此流没有任何行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>No output is on record.</source>
      <translation>没有记录任何输出。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>Nothing was printed yet.</source>
      <translation>尚未打印任何内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>What the script prints appears here, beside the terminal.</source>
      <translation>脚本打印的内容除了显示在终端，也会显示在这里。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>all</source>
      <translation>全部</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/output.py" />
      <source>{count} lines</source>
      <translation>{count} 行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problem_tools.py" />
      <source>All</source>
      <translation>全部</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problem_tools.py" />
      <source>All problems, warnings and errors, or errors only</source>
      <translation>全部问题、警告和错误，或仅错误</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problem_tools.py" />
      <source>Copy all problems</source>
      <translation>复制所有问题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problem_tools.py" />
      <source>Copy what is listed, a line each (Ctrl+C copies the chosen one)</source>
      <translation>复制列出的内容，每项一行（Ctrl+C 复制所选项）</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problem_tools.py" />
      <source>Errors</source>
      <translation>错误</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problem_tools.py" />
      <source>Least severity</source>
      <translation>最低严重程度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problem_tools.py" />
      <source>Warnings</source>
      <translation>警告</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>Choose All to see the others.</source>
      <translation>选择“全部”以查看其他问题。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>Looked at the run up to {time}; what is found appears here.</source>
      <translation>已检查到 {time}；发现的问题会显示在这里。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>No problem is as grave as that.</source>
      <translation>没有这样严重的问题。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>No problem was found besides the exception.</source>
      <translation>除该异常外未发现问题。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>No problem was found yet.</source>
      <translation>尚未发现问题。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>No problem was found.</source>
      <translation>没有发现问题。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>Output has its traceback, Source its line.</source>
      <translation>输出中有它的回溯，源代码中有它所在的行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>The whole run was looked at; Inspector shows what was largest and slowest.</source>
      <translation>已检查整个运行；检查器显示最大和最慢的部分。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/sharing_export.py" />
      <source>Save sharing graph…</source>
      <translation>保存共享图…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/sharing_view.py" />
      <source>Choose one in the list, a block in the memory timeline or a parameter.</source>
      <translation>请在列表中选择一个存储，或在内存时间线中选择一个块，或选择一个参数。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/sharing_view.py" />
      <source>No storage is chosen.</source>
      <translation>尚未选择存储。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/sharing_view.py" />
      <source>Sharing graph of the chosen storage</source>
      <translation>所选存储的共享图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/sharing_view.py" />
      <source>held by</source>
      <translation>持有者</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/source.py" />
      <source>Find in this file</source>
      <translation>在此文件中查找</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/source.py" />
      <source>No line of this file holds it.</source>
      <translation>此文件中没有包含它的行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/source.py" />
      <source>The recording keeps names and lines, not the text of files.</source>
      <translation>录制文件保留名称和行号，不保留文件内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/source.py" />
      <source>Type a line from 1 to {last}.</source>
      <translation>请输入 1 到 {last} 之间的行号。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source> (part of them, out of time)</source>
      <translation>（超时，仅部分）</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source> + {bytes} external</source>
      <translation> + 外部 {bytes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>Move the cursor to a later moment.</source>
      <translation>请将光标移到更晚的时刻。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>No storage was alive then.</source>
      <translation>那时没有存活的存储。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>Sharing</source>
      <translation>共享图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>Uses</source>
      <translation>使用记录</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_detail.py" />
      <source>Click goes to it</source>
      <translation>点击跳转</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_detail.py" />
      <source>Storage in full</source>
      <translation>存储详情</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_detail.py" />
      <source>at</source>
      <translation>时刻</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Category</source>
      <translation>类别</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Group by</source>
      <translation>分组依据</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Kept by a small view</source>
      <translation>被小视图保留</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Line that made it</source>
      <translation>创建它的行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Not of torch's allocators</source>
      <translation>非 torch 分配器的内存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Nothing</source>
      <translation>不分组</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Saved by a node</source>
      <translation>被节点保存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Shared by several tensors</source>
      <translation>被多个张量共享</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Show only</source>
      <translation>仅显示</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Tied parameters</source>
      <translation>绑定的参数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>With views</source>
      <translation>含视图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_menu.py" />
      <source>Written after it was made</source>
      <translation>创建后被写过</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Bytes</source>
      <translation>字节</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Last writer</source>
      <translation>最后写入者</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Layout</source>
      <translation>布局</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Shape</source>
      <translation>形状</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Storage, views</source>
      <translation>存储与视图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>base</source>
      <translation>基张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>view</source>
      <translation>视图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>{count} storage</source>
      <translation>{count} 个存储</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>{count} storages</source>
      <translation>{count} 个存储</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>{kind}, {layout}, version {version}</source>
      <translation>{kind}，{layout}，版本 {version}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_tools.py" />
      <source>Filter storages</source>
      <translation>筛选存储</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_tools.py" />
      <source>Group and filter storages</source>
      <translation>分组并筛选存储</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_tools.py" />
      <source>Group the list and choose what it shows</source>
      <translation>为列表分组并选择显示内容</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_tools.py" />
      <source>The whole sharing graph as a PNG or SVG picture</source>
      <translation>整张共享图，保存为 PNG 或 SVG 图片</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_tools.py" />
      <source>Words that must occur: names, operators, lines, dtypes; is:shared, category:input, module:h.2; a minus means not</source>
      <translation>必须出现的词：名称、算子、行、类型；is:shared、category:input、module:h.2；减号表示排除</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_view.py" />
      <source>Storages and their tensors</source>
      <translation>存储及其张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/picture.py" />
      <source>The picture of the window took longer than two minutes; try a smaller recording.</source>
      <translation>生成窗口图片超过两分钟；请尝试较小的录制文件。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/rank_lanes.py" />
      <source>The ranks of the job</source>
      <translation>作业的各个 rank</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/rank_selector.py" />
      <source>  (Ctrl+PgUp, Ctrl+PgDown)</source>
      <translation>  (Ctrl+PgUp, Ctrl+PgDown)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/rank_selector.py" />
      <source>The rank that the panels show</source>
      <translation>面板所显示的 rank</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>Bookmark: {mark}</source>
      <translation>书签:{mark}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>Keep the newest events in view</source>
      <translation>始终显示最新事件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>To now</source>
      <translation>到现在</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>To the iteration before</source>
      <translation>到上一次迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>To the next iteration</source>
      <translation>到下一次迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>To the start of the run</source>
      <translation>到运行开始</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>and {count} more</source>
      <translation>另有 {count} 个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>As the system</source>
      <translation>跟随系统</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Breakpoints</source>
      <translation>断点</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Close settings</source>
      <translation>关闭设置</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Colour-blind safe</source>
      <translation>色盲友好</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Colours</source>
      <translation>颜色</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Counts from the next run on.</source>
      <translation>从下一次运行起生效。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Disk of a run</source>
      <translation>每次运行的磁盘</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>First iterations kept in full</source>
      <translation>完整保留的前几次迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Language, from the next window on</source>
      <translation>语言（从下一个窗口起）</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Last iterations kept in full</source>
      <translation>完整保留的后几次迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Light</source>
      <translation>浅色</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Memory of a run</source>
      <translation>每次运行的内存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Runs kept in the cache</source>
      <translation>缓存中保留的运行数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Settings – TensorScope</source>
      <translation>设置 – TensorScope</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Standard</source>
      <translation>标准</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/settings_page.py" />
      <source>Theme</source>
      <translation>主题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/sheet_header.py" />
      <source>Maximize this panel</source>
      <translation>最大化此面板</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/sheet_header.py" />
      <source>Restore the layout</source>
      <translation>恢复布局</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/sheet_header.py" />
      <source>What else this panel can do</source>
      <translation>此面板的更多功能</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/status_bar.py" />
      <source>State of the run</source>
      <translation>运行状态</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/supply.py" />
      <source>The other panels still work.</source>
      <translation>其他面板仍可使用。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/supply.py" />
      <source>{title} could not be made: {error}</source>
      <translation>无法创建“{title}”：{error}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/toolbar.py" />
      <source>Menu</source>
      <translation>菜单</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/toolbar.py" />
      <source>Toolbar</source>
      <translation>工具栏</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>A tour in samples</source>
      <translation>示例导览</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>A visual debugger for PyTorch training</source>
      <translation>PyTorch 训练的可视化调试器</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Guide</source>
      <translation>指南</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>No job is served. Start one with: tensorscope serve train.py</source>
      <translation>没有提供服务的作业。启动一个：tensorscope serve train.py</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Nothing yet. Run a script, or a sample on the right.</source>
      <translation>还没有内容。请运行脚本，或右侧的示例。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Open a recording…</source>
      <translation>打开录制文件…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Python script (*.py)</source>
      <translation>Python 脚本 (*.py)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Queries</source>
      <translation>查询</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Recent</source>
      <translation>最近</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Run a script</source>
      <translation>运行脚本</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Run a script…</source>
      <translation>运行脚本…</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Samples</source>
      <translation>示例</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Served jobs</source>
      <translation>提供服务的作业</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>The samples are in TensorScope's source: samples/.</source>
      <translation>示例位于 TensorScope 的源代码中：samples/。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Welcome – TensorScope</source>
      <translation>欢迎 – TensorScope</translation>
    </message>
    <message>
      <location filename="../../tensorscope/gui/welcome.py" />
      <source>Your own script: tensorscope train.py</source>
      <translation>运行自己的脚本：tensorscope train.py</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/event_row.py" />
      <source>Event</source>
      <translation>事件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/event_row.py" />
      <source>Memory</source>
      <translation>内存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/event_row.py" />
      <source>Self time</source>
      <translation>自身时间</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_lanes.py" />
      <source>steps</source>
      <translation>更新</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>NaN or Inf</source>
      <translation>NaN 或 Inf</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>accumulated</source>
      <translation>已累积</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>all zero</source>
      <translation>全为零</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>clipped</source>
      <translation>裁剪后</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>no gradient</source>
      <translation>无梯度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>norm</source>
      <translation>范数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>not run or not read</source>
      <translation>未运行或未读取</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>step skipped</source>
      <translation>跳过的更新</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_map.py" />
      <source>iteration</source>
      <translation>迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_groups.py" />
      <source>raised</source>
      <translation>抛出异常</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_groups.py" />
      <source>{done} of {words}</source>
      <translation>{done} / {words}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_heat.py" />
      <source>no {measure} known</source>
      <translation>没有已知的{measure}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_heat.py" />
      <source>not finite</source>
      <translation>非有限</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_heat.py" />
      <source>not known</source>
      <translation>未知</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_heat.py" />
      <source>of parameters' .grad</source>
      <translation>参数 .grad 的</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>Laying out, {share} done. Esc cancels.</source>
      <translation>正在布局，已完成 {share}。按 Esc 取消。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>done</source>
      <translation>已完成</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>freed</source>
      <translation>已释放</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>gradient written</source>
      <translation>梯度已写入</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>held</source>
      <translation>暂停处</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>parameter</source>
      <translation>参数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>saved</source>
      <translation>已保存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>waiting</source>
      <translation>等待中</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_nodes.py" />
      <source> · {saved_bytes} saved</source>
      <translation> · 保存 {saved_bytes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_nodes.py" />
      <source>held here</source>
      <translation>停在此处</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_lanes.py" />
      <source>module</source>
      <translation>模块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_lanes.py" />
      <source>phase</source>
      <translation>阶段</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>capacity {capacity_bytes}</source>
      <translation>容量 {capacity_bytes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>capacity {named_capacity_bytes}, above</source>
      <translation>容量 {named_capacity_bytes}，在上方</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>out of memory: {wanted} wanted, {free} free</source>
      <translation>内存不足：需要 {wanted}，空闲 {free}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>peak {bytes}</source>
      <translation>峰值 {bytes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>reserved {highest}</source>
      <translation>已预留 {highest}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>seconds</source>
      <translation>秒</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_side.py" />
      <source>Click hides, Alt+click solos</source>
      <translation>点击隐藏，Alt+点击只看它</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_side.py" />
      <source>allocated</source>
      <translation>已分配</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_side.py" />
      <source>at peak</source>
      <translation>峰值时</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_side.py" />
      <source>change</source>
      <translation>变化</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/scrubber.py" />
      <source>iteration {label}</source>
      <translation>迭代 {label}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/scrubber.py" />
      <source>start-up</source>
      <translation>启动</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/source.py" />
      <source>{title} has changed since the run</source>
      <translation>运行之后 {title} 已被修改</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/storage_row.py" />
      <source>contiguous</source>
      <translation>连续</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/storage_row.py" />
      <source>stride 0</source>
      <translation>步幅 0</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/storage_row.py" />
      <source>strided</source>
      <translation>跨步</translation>
    </message>
    <message>
      <location filename="../../tensorscope/render/storage_strip.py" />
      <source>freed {time}</source>
      <translation>释放于 {time}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Attached to {name}; its history comes</source>
      <translation>已连接到 {name}；正在接收历史</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Attached to {name}; {received} of {total} MiB of its history are here</source>
      <translation>已连接到 {name}；历史已收到 {received} / {total} MiB</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Connection ended: {reason}</source>
      <translation>连接已结束：{reason}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Connection lost; attach again: tensorscope attach {job}</source>
      <translation>连接中断；重新连接：tensorscope attach {job}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Detached; attach again: tensorscope attach {job}</source>
      <translation>已断开；重新连接：tensorscope attach {job}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Disconnected by the host; attach again: tensorscope attach {job}</source>
      <translation>主机断开了连接；再次附加：tensorscope attach {job}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Ended meanwhile ({outcome}); all of it is on {machine}: {recording}</source>
      <translation>其间已结束（{outcome}）；全部内容在 {machine} 上：{recording}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Host gone, and the script as well; how it ended nobody saw</source>
      <translation>主机没了，脚本也没了；没有人看到它如何结束</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Host gone; the script runs on unwatched</source>
      <translation>宿主进程已退出；脚本在无观测下继续运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>The copy of the recording stopped: {reason}.</source>
      <translation>录制文件的复制已停止：{reason}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>What came stays: {path}</source>
      <translation>已收到的部分保留在：{path}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>torchviz's picture is drawn where the window has started the script; this one is attached to: export DOT instead.</source>
      <translation>torchviz 图片只能在由窗口启动的脚本中绘制；此脚本是连接的：请改为导出 DOT。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>{target} cannot be attached: {reason}.</source>
      <translation>无法连接 {target}：{reason}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>The host of job {name} does not answer; is process {pid} stopped?</source>
      <translation>作业 {name} 的宿主进程没有响应；进程 {pid} 是否已停住？</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>The relay on {host} ended: {reason}.</source>
      <translation>{host} 上的中继已结束：{reason}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>There is no ssh here; install it (openssh-client), or give a job of this machine.</source>
      <translation>此处没有 ssh；请安装 openssh-client，或指定本机的作业。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>There is no {command} on the PATH of {host}; give its path there: --remote-command ~/venv/bin/tensorscope</source>
      <translation>{host} 的 PATH 中没有 {command}；请给出其路径：--remote-command ~/venv/bin/tensorscope</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>exit code {code}</source>
      <translation>退出码 {code}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>it said nothing</source>
      <translation>没有任何输出</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>ssh could not reach {host}: {reason}.</source>
      <translation>ssh 无法连接 {host}：{reason}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>{host} is no name of a machine; give HOST:JOB.</source>
      <translation>{host} 不是机器名；请给出 HOST:JOB。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>--name needs letters, digits, _ . and -, up to {most}, a letter first; not {name}.</source>
      <translation>--name 需要字母、数字、_ . 和 -，最多 {most} 个，以字母开头；而不是 {name}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There are too many jobs {name}; give --name another.</source>
      <translation>名为 {name} 的作业太多；请用 --name 另取名称。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There is a job {name} already; give --name another.</source>
      <translation>已有作业 {name}；请用 --name 另取名称。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There is no job {job}, and none is served; start one with tensorscope serve train.py.</source>
      <translation>没有作业 {job}，也没有正在提供服务的作业；用 tensorscope serve train.py 启动一个。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There is no job {job}; served are: {names}.</source>
      <translation>没有作业 {job}；正在提供服务的有：{names}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There is no private folder for the job's socket: {folder} is another user's.</source>
      <translation>作业的套接字没有私有文件夹：{folder} 属于其他用户。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>its host is gone</source>
      <translation>其宿主进程已退出</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>served</source>
      <translation>提供中</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/joined.py" />
      <source>Detached by the process; what came stays. tensorscope.attach() there attaches again.</source>
      <translation>已被进程断开；收到的内容保留。在该进程中调用 tensorscope.attach() 可重新连接。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/keep_spec.py" />
      <source>--keep needs memory=1GiB,disk=4GiB,first=3,last=20 or some of these, not {part}.</source>
      <translation>--keep 需要 memory=1GiB,disk=4GiB,first=3,last=20 或其中几项，而不是 {part}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/keep_spec.py" />
      <source>--keep {name} needs a number of iterations, not {value}.</source>
      <translation>--keep {name} 需要迭代次数，而不是 {value}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/keep_spec.py" />
      <source>--keep {name} needs a size from 1MiB on, such as 512MiB or 2GiB, not {value}.</source>
      <translation>--keep {name} 需要不小于 1MiB 的大小，例如 512MiB 或 2GiB，而不是 {value}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/past.py" />
      <source>Of this long iteration only the part near the cursor is here.</source>
      <translation>这个很长的迭代只有光标附近的部分在这里。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/past.py" />
      <source>The detail of this moment cannot be read from {path}: {error}.</source>
      <translation>无法从 {path} 读取此时刻的细节：{error}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/past.py" />
      <source>The detail of this moment is gone: there was no room for it (--keep).</source>
      <translation>此时刻的细节已不在：没有空间保留它（--keep）。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/past.py" />
      <source>The detail of this moment is on its way.</source>
      <translation>此时刻的细节正在路上。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/rank_table.py" />
      <source>process {rank}</source>
      <translation>进程 {rank}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/rank_table.py" />
      <source>rank {distributed}, process {pid}</source>
      <translation>rank {distributed}，进程 {pid}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/rank_table.py" />
      <source>rank {rank}</source>
      <translation>rank {rank}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/relay.py" />
      <source>Job {name} is over ({outcome}); its recording on {machine} is {path}</source>
      <translation>作业 {name} 已结束（{outcome}）；它在 {machine} 上的录制文件是 {path}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/remote_past.py" />
      <source>The detail of this moment stayed with the host, in its recording.</source>
      <translation>此时刻的细节留在主机的记录里。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/replay.py" />
      <source>torchviz draws live tensors, and a recording has none: export DOT instead.</source>
      <translation>torchviz 绘制活动张量，而录制文件中没有：请改为导出 DOT。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source> after {operator}</source>
      <translation>，在 {operator} 之后</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source> in {operator}</source>
      <translation>，在 {operator} 中</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Building the probe, once for this torch</source>
      <translation>正在编译探针 每个 torch 只需一次</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Ended</source>
      <translation>已结束</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Ended by {exception}</source>
      <translation>因 {exception} 结束</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Ended without a word: killed, or by os._exit</source>
      <translation>已结束 没有留下信息：被杀死，或调用了 os._exit</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Ended, exit code {code}</source>
      <translation>已结束 退出码 {code}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Held before node {position} of {count}</source>
      <translation>已暂停 在第 {position} 个节点前，共 {count} 个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>It still ran when this was opened; open it again to see more</source>
      <translation>打开时它仍在运行；再次打开可看到更多</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Killed by {signal}</source>
      <translation>被杀死 {signal}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Memory snapshot</source>
      <translation>内存快照</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Nothing of the script was watched: before it imported torch it closed all its file descriptors, TensorScope's among them, or became another program. Import torch before they are closed.</source>
      <translation>没有观测到脚本的任何内容：它在导入 torch 之前关闭了所有文件描述符（包括 TensorScope 的），或变成了另一个程序。请在关闭它们之前导入 torch。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Pausing at the next node</source>
      <translation>正在暂停 在下一个节点处</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Running out of the block</source>
      <translation>运行中 直到跳出此块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Running to the next iteration</source>
      <translation>运行中 直到下一次迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Running to the next module</source>
      <translation>运行中 直到下一个模块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Running, iteration {iteration}</source>
      <translation>运行中 迭代 {iteration}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Starting</source>
      <translation>正在启动</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>The recording stops before the script's end</source>
      <translation>录制在脚本结束前中断</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>an exception</source>
      <translation>异常</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>signal {number}</source>
      <translation>信号 {number}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/steering.py" />
      <source>The Python probe cannot stop in a backward. Install the package g++ and start again.</source>
      <translation>Python 探针无法在反向传播中停止。请安装 g++ 软件包后重新启动。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/watched.py" />
      <source>torchviz draws live tensors: pause with F6 inside a backward first.</source>
      <translation>torchviz 绘制活动张量：请先在反向传播中按 F6 暂停。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/watched.py" />
      <source>torchviz gave no picture in {seconds} s.</source>
      <translation>torchviz 在 {seconds} 秒内没有生成图片。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/session/watched.py" />
      <source>torchviz gave no picture.</source>
      <translation>torchviz 没有生成图片。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/bookmarks.py" />
      <source>{label} at {time}</source>
      <translation>{label},{time}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/breakpoints.py" />
      <source>NaN or infinity in a gradient</source>
      <translation>梯度中有 NaN 或无穷大</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/code.py" />
      <source>{name} cannot be read: {error}</source>
      <translation>无法读取 {name}：{error}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/code.py" />
      <source>{name} is larger than 4 MiB.</source>
      <translation>{name} 大于 4 MiB。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/code.py" />
      <source>{name} is not here.</source>
      <translation>{name} 不在此处。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>A memory snapshot holds allocations and their stacks, nothing else.</source>
      <translation>内存快照只包含内存分配及其调用栈，别无其他。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>Install the package g++ and start again: then the native probe watches.</source>
      <translation>安装 g++ 软件包后重新启动：将由原生探针观测。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>It ended before it ran an operator: Output has what it printed.</source>
      <translation>它在运行任何算子之前就结束了：“输出”里有它打印的内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>It ended before it ran one: Output has what it printed.</source>
      <translation>它在运行任何算子之前就结束了：“输出”里有它打印的内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>It ended before torch was imported: Output has what it printed.</source>
      <translation>它在导入 torch 之前就结束了：“输出”里有它打印的内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>It fills as soon as the script makes its first tensor.</source>
      <translation>脚本创建第一个张量后，这里就会有内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>It made no tensor that could be watched; tensorscope doctor says what works here.</source>
      <translation>它没有创建可观测的张量；tensorscope doctor 会说明这里哪些功能可用。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No backward is on record.</source>
      <translation>没有反向传播记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No backward yet.</source>
      <translation>还没有反向传播。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No gradient is on record.</source>
      <translation>没有梯度记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No gradient on record yet.</source>
      <translation>还没有梯度记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No line has run yet.</source>
      <translation>还没有运行任何代码行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No line is on record.</source>
      <translation>没有源代码行记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No memory is on record.</source>
      <translation>没有内存记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No memory on record yet.</source>
      <translation>还没有内存记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No operator is on record.</source>
      <translation>没有算子记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No storage was looked at yet.</source>
      <translation>还没有查看过存储。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>No storage was looked at.</source>
      <translation>没有查看过任何存储。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>Nothing has come yet.</source>
      <translation>还没有内容到达。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>Nothing has run yet.</source>
      <translation>还没有运行任何内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>Nothing of it came before the window let go of the script.</source>
      <translation>窗口与脚本分离之前没有收到任何内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>The Python probe sees no allocations.</source>
      <translation>Python 探针看不到内存分配。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>The script never imported torch: give the one that trains.</source>
      <translation>脚本从未导入 torch：请给出进行训练的脚本。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>The script's lines appear here with what each costs.</source>
      <translation>脚本的各行及其开销会显示在这里。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>The script's operators appear here as soon as it imports torch.</source>
      <translation>脚本导入 torch 后，其算子会立即显示在这里。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>The script's operators appear here as they run.</source>
      <translation>脚本的算子运行时会显示在这里。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>There was nothing to look at.</source>
      <translation>没有可检查的内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>They are listed at the end of each iteration and where the script is held.</source>
      <translation>每次迭代结束时和脚本暂停处会列出存储。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>They are listed at the end of each iteration, and this run had none.</source>
      <translation>存储在每次迭代结束时列出，而这次运行没有迭代。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>What is found to be wrong appears here, with its line and what to do.</source>
      <translation>发现的问题会显示在这里，并给出所在行和处理办法。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/emptiness.py" />
      <source>What it did so far comes first, then what it does now.</source>
      <translation>先显示它此前做过的，然后是它现在做的。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/event_filter.py" />
      <source>“{name}:” is no field. There are {fields}.</source>
      <translation>“{name}:”不是字段。可用的有 {fields}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/event_filter.py" />
      <source>“{name}:” needs a value behind it.</source>
      <translation>“{name}:”后面需要一个值。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/event_filter.py" />
      <source>“{term}” needs a number and a unit, such as dur&gt;1ms or mem&gt;1MiB.</source>
      <translation>“{term}”需要数字和单位,例如 dur&gt;1ms 或 mem&gt;1MiB。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/event_rows.py" />
      <source>Iteration {number}</source>
      <translation>迭代 {number}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/event_rows.py" />
      <source>{name}: {duration_ns:,} ns ({self_ns:,} ns itself) from {begin_ns:,} ns, {memory_delta_bytes:+,} B</source>
      <translation>{name}：{duration_ns:,} ns（自身 {self_ns:,} ns），自 {begin_ns:,} ns 起，{memory_delta_bytes:+,} B</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/go_to.py" />
      <source>Iterations {first} to {last}</source>
      <translation>迭代 {first} 到 {last}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/go_to.py" />
      <source>The run has no iteration yet: type a time, such as 1.5 s.</source>
      <translation>运行还没有迭代:请输入时间,如 1.5 s。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/go_to.py" />
      <source>The run is {end} long so far.</source>
      <translation>到目前为止运行时长为 {end}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/go_to.py" />
      <source>There is no iteration {number}: they go from {first} to {last}.</source>
      <translation>没有迭代 {number}:范围是 {first} 到 {last}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/go_to.py" />
      <source>Type an iteration, such as 12, or a time, such as 1.5 s.</source>
      <translation>请输入迭代(如 12)或时间(如 1.5 s)。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>all {count} are zero</source>
      <translation>全部 {count} 个为零</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>and</source>
      <translation>和</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>backward</source>
      <translation>反向</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>backward {number}</source>
      <translation>反向传播 {number}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>elements</source>
      <translation>元素</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>gradient</source>
      <translation>梯度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>largest</source>
      <translation>最大</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>learning rate</source>
      <translation>学习率</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>loss scale</source>
      <translation>损失缩放</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>lr</source>
      <translation>学习率</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>max |x|</source>
      <translation>最大 |x|</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>none in this iteration</source>
      <translation>此迭代中没有</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>none on record: the backward raised</source>
      <translation>没有记录：反向传播抛出了异常</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>norm, {stage}</source>
      <translation>范数，{stage}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>not clipped</source>
      <translation>未裁剪</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>not computed yet</source>
      <translation>尚未计算</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>not read on this device</source>
      <translation>此设备上未读取</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>skipped by GradScaler</source>
      <translation>被 GradScaler 跳过</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>step</source>
      <translation>更新</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>to {limit}</source>
      <translation>至 {limit}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>update norm</source>
      <translation>更新范数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>weight norm</source>
      <translation>权重范数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{count} backwards</source>
      <translation>{count} 次反向传播</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{count} backwards before</source>
      <translation>之前 {count} 次反向传播</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{count} elements</source>
      <translation>{count} 个元素</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{count} of {all}</source>
      <translation>{count} / {all}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{norm} to {limit}</source>
      <translation>{norm} 至 {limit}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_ranks.py" />
      <source>ranks differ since iteration {iteration} though they reduce it: {norms}</source>
      <translation>虽经归约，各 rank 自迭代 {iteration} 起仍不同：{norms}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>Choose a row of the map.</source>
      <translation>请在热图中选择一行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>No histogram of it was taken yet.</source>
      <translation>还没有采集它的直方图。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>Nothing of this is on record.</source>
      <translation>没有相关记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>There is one rank: nothing to compare.</source>
      <translation>只有一个 rank：无可比较。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>histograms</source>
      <translation>直方图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>norms</source>
      <translation>范数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>ranks</source>
      <translation>各 rank</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>stages</source>
      <translation>阶段</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>update</source>
      <translation>更新</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>update ÷ weight</source>
      <translation>更新 ÷ 权重</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>weight</source>
      <translation>权重</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>weight and update</source>
      <translation>权重与更新</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>≈ lr × grad ÷ weight</source>
      <translation>≈ 学习率 × 梯度 ÷ 权重</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_spread.py" />
      <source>last at {iteration}</source>
      <translation>最近一次在 {iteration}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_spread.py" />
      <source>{count} taken</source>
      <translation>已采集 {count} 次</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_backwards.py" />
      <source>Backward {number}, iteration {iteration}</source>
      <translation>反向传播 {number}，迭代 {iteration}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_backwards.py" />
      <source>Backward {number}, iteration {iteration}: another shape</source>
      <translation>反向传播 {number}，迭代 {iteration}：结构不同</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>  {nonfinite} not finite</source>
      <translation>  {nonfinite}非有限</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source> in {saved} tensors</source>
      <translation>，共 {saved} 个张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>Gradient</source>
      <translation>梯度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>Gradient {shape}</source>
      <translation>梯度 {shape}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>accumulated in</source>
      <translation>累积于</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>and {links} more</source>
      <translation>另有 {links} 个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>attributes</source>
      <translation>属性</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>double click closes it</source>
      <translation>双击折叠</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>double click opens it</source>
      <translation>双击展开</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>from</source>
      <translation>来自</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>gradient in</source>
      <translation>输入梯度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>gradient still to come</source>
      <translation>梯度尚未到达</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>leaf tensor</source>
      <translation>叶子张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>nodes</source>
      <translation>节点</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>norm of .grad</source>
      <translation>.grad 的范数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>norm of .grads</source>
      <translation>各 .grad 的范数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>raised after {backward_ns}</source>
      <translation>{backward_ns} 后抛出异常</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>saved bytes unknown for this backward</source>
      <translation>此次反向传播的保存字节未知</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>saved {name}</source>
      <translation>保存的 {name}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>shape</source>
      <translation>形状</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>through</source>
      <translation>经过</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>tied</source>
      <translation>共享权重</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>to</source>
      <translation>去往</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>to {receiver}</source>
      <translation>去往 {receiver}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>{count} element</source>
      <translation>{count} 个元素</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>{done} of {nodes} done</source>
      <translation>已完成 {done} / {nodes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>{ran}  (forward {forward_ns})</source>
      <translation>{ran}  （前向 {forward_ns}）</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>Against backward {other} of iteration {iteration}</source>
      <translation>与迭代 {iteration} 的反向传播 {other} 比较</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>equal graphs</source>
      <translation>计算图相同</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>gone</source>
      <translation>消失</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>new</source>
      <translation>新增</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>of another shape</source>
      <translation>形状不同</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>other edges</source>
      <translation>边不同</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>other shape</source>
      <translation>形状不同</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>saved bytes equal</source>
      <translation>保存的字节相同</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>with other edges</source>
      <translation>边不同</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>{bytes} saved</source>
      <translation>保存 {bytes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>{ratio} the time</source>
      <translation>耗时 {ratio}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_find.py" />
      <source>tensors</source>
      <translation>张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>gradient norm</source>
      <translation>梯度范数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>non-finite</source>
      <translation>非有限值</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>progress</source>
      <translation>进度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>saved bytes</source>
      <translation>保存的字节</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>time</source>
      <translation>时间</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_labels.py" />
      <source>{count} tensors</source>
      <translation>{count} 个张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>No gradient runs between {first} and {second}.</source>
      <translation>{first} 与 {second} 之间没有梯度流过。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>more than {count}</source>
      <translation>多于 {count}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{count} edge</source>
      <translation>{count} 条边</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{count} edges</source>
      <translation>{count} 条边</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{ends}: the only way, {edges}</source>
      <translation>{ends}：唯一路径，{edges}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{ends}: {edges} on the shortest of {count} ways; {nodes} lie between</source>
      <translation>{ends}：{count} 条路径中最短的有 {edges}；中间有 {nodes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{source} to {target}</source>
      <translation>{source} 到 {target}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_request.py" />
      <source>There is no other backward to compare with yet.</source>
      <translation>还没有其他反向传播可供比较。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>Found: {query}</source>
      <translation>找到：{query}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>Nothing here holds all of these words.</source>
      <translation>没有同时包含这些文字的内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>Path</source>
      <translation>路径</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>What changed</source>
      <translation>变化</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>{line} made {nodes}</source>
      <translation>{line} 产生了 {nodes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>{made}, {drawn} of them drawn; the rest in closed groups</source>
      <translation>{made}，其中 {drawn} 个已绘出；其余在折叠的分组中</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>{words}. Below: where most time was added.</source>
      <translation>{words}。下面是耗时增加最多之处。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_work.py" />
      <source>The layout was cancelled.</source>
      <translation>布局已取消。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Allocated less freed while it ran.</source>
      <translation>运行期间分配量减去释放量。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>For the backward, without parameters.</source>
      <translation>为反向传播保存，不含参数。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>In iteration {iteration}.</source>
      <translation>在第 {iteration} 次迭代中。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Inputs</source>
      <translation>输入</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>It has none.</source>
      <translation>没有。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Line</source>
      <translation>代码行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Made here and alive at the cursor.</source>
      <translation>在此创建，且在光标处仍存活。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Of its newest call.</source>
      <translation>最近一次调用。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Operator</source>
      <translation>算子</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Outputs</source>
      <translation>输出</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>a view of an input</source>
      <translation>输入的视图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>began at</source>
      <translation>开始于</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>called at</source>
      <translation>调用于</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>calls</source>
      <translation>调用次数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>forward</source>
      <translation>前向</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>in node</source>
      <translation>所在节点</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>live</source>
      <translation>存活</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>memory</source>
      <translation>内存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>new memory</source>
      <translation>新内存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>node {node} of backward {backward}</source>
      <translation>反向传播 {backward} 的节点 {node}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>written in place</source>
      <translation>就地写入</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>{count} parameter</source>
      <translation>{count} 个参数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>{count} parameters</source>
      <translation>{count} 个参数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>Large storages, small views</source>
      <translation>大存储，小视图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>Largest at the peak</source>
      <translation>峰值时最大</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>Slowest lines</source>
      <translation>最慢的代码行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>Slowest modules</source>
      <translation>最慢的模块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>names reach {reached}</source>
      <translation>名称仅引用 {reached}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>never had one</source>
      <translation>从未有过</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>norm, backward {backward}</source>
      <translation>范数，反向传播 {backward}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>of {most_blocks} blocks</source>
      <translation>共 {most_blocks} 个块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>smallest</source>
      <translation>最小</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>storage</source>
      <translation>存储</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>the run</source>
      <translation>整个运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>{maker} result</source>
      <translation>{maker} 的结果</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_links.py" />
      <source>Belongs to it</source>
      <translation>属于它的</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_links.py" />
      <source>operators</source>
      <translation>算子</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_links.py" />
      <source>storages</source>
      <translation>存储</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>Block</source>
      <translation>块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>How often it was written in place.</source>
      <translation>被就地写入的次数。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>Storage</source>
      <translation>存储</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>Tensors</source>
      <translation>张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>address</source>
      <translation>地址</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>alive</source>
      <translation>存活</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>allocated at</source>
      <translation>分配于</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>bytes</source>
      <translation>字节</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>category</source>
      <translation>类别</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>freed at</source>
      <translation>释放于</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>last written by</source>
      <translation>最后写入者</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>lived</source>
      <translation>存活时间</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>made at</source>
      <translation>创建于</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>made by</source>
      <translation>创建者</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>name</source>
      <translation>名称</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>not contiguous</source>
      <translation>非连续</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>operator</source>
      <translation>算子</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>seen at {seen_ns}</source>
      <translation>查看于 {seen_ns}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>size</source>
      <translation>大小</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>state</source>
      <translation>状态</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>unnamed</source>
      <translation>未命名</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>version</source>
      <translation>版本</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>written at</source>
      <translation>写入于</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>{nbytes} storage</source>
      <translation>{nbytes} 存储</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>{size} block</source>
      <translation>{size} 块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Attributes</source>
      <translation>属性</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Gradient in</source>
      <translation>输入梯度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Gradients out</source>
      <translation>输出梯度</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>It has not run yet.</source>
      <translation>尚未运行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>It was not stepped over.</source>
      <translation>没有单步经过它。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Saved tensors</source>
      <translation>保存的张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Step with F10 to see them.</source>
      <translation>按 F10 单步查看。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>The operator that made it is not on record.</source>
      <translation>没有创建它的算子的记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>The run was not held here. Norms of parameters' gradients are kept for all.</source>
      <translation>运行没有在此处暂停。所有参数梯度的范数都有保留。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Values are seen at stops: pause with F6, step with F10. Norms of parameters' gradients are kept for all.</source>
      <translation>暂停时可见数值：按 F6 暂停，按 F10 单步。所有参数梯度的范数都有保留。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>backward {backward} · {id}</source>
      <translation>反向传播 {backward} · {id}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>forward output</source>
      <translation>前向输出</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>from the loss</source>
      <translation>来自损失</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>from {name}</source>
      <translation>来自 {name}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>mean {mean}</source>
      <translation>均值 {mean}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>no NaN, no Inf</source>
      <translation>没有 NaN 和 Inf</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>norm · max |x|</source>
      <translation>范数 · 最大 |x|</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>seq {sequence_nr}</source>
      <translation>序号 {sequence_nr}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>until it raised</source>
      <translation>直到抛出异常</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>version {version}</source>
      <translation>版本 {version}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>{bad} not finite</source>
      <translation>{bad}非有限</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>{bytes} freed here</source>
      <translation>在此释放 {bytes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>{bytes} held</source>
      <translation>占用 {bytes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>{numel:,} elements</source>
      <translation>{numel:,} 个元素</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>No gradient has been written yet.</source>
      <translation>尚未写入梯度。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>No gradient yet.</source>
      <translation>还没有梯度。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>Parameter</source>
      <translation>参数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>also named</source>
      <translation>别名</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>backward {backward} · norm · max |x|</source>
      <translation>反向传播 {backward} · 范数 · 最大 |x|</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>device</source>
      <translation>设备</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>none: it is never updated</source>
      <translation>无：从不更新</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>optimizer</source>
      <translation>优化器</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>It ended before the script began.</source>
      <translation>在脚本开始前就结束了。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>It had no iteration: none ran backward().</source>
      <translation>没有迭代：从未运行 backward()。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>It has no message.</source>
      <translation>没有消息。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>Kept</source>
      <translation>保留</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>No iteration yet. One ends with each optimizer.step().</source>
      <translation>还没有迭代。每次 optimizer.step() 结束一次迭代。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>Of allocated bytes, on the device where it was highest.</source>
      <translation>已分配字节的峰值，取最高的设备。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>The run</source>
      <translation>整个运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>The script has not begun. It starts once the probe fits this torch; the first time that is compiled, for about a minute. Then its iterations, its peak and its slowest lines stand here.</source>
      <translation>脚本尚未开始。探针与此 torch 匹配后即开始；首次需要编译约一分钟。之后这里会显示迭代、峰值和最慢的代码行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>budgets</source>
      <translation>预算</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>detail let go</source>
      <translation>已舍弃的细节</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>devices</source>
      <translation>设备</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>first {first}, last {last}</source>
      <translation>前 {first} 次，后 {last} 次</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>in full</source>
      <translation>完整保留</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>iterations</source>
      <translation>迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>iterations {first} to {last}</source>
      <translation>迭代 {first} 至 {last}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>optimizers</source>
      <translation>优化器</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>peak</source>
      <translation>峰值</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>raised at</source>
      <translation>抛出于</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>run</source>
      <translation>运行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>{index:,}, not ended</source>
      <translation>{index:,}，未结束</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>{memory} of memory, {disk} of disk</source>
      <translation>内存 {memory}，磁盘 {disk}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/lag.py" />
      <source>This machine shows later what the script does now; nothing is lost, and the window catches up.</source>
      <translation>本机稍后才显示脚本现在所做的；没有丢失，窗口会赶上。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/lag.py" />
      <source>{seconds} s behind the script: {events} events</source>
      <translation>落后脚本 {seconds} 秒：{events} 个事件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/line_heat.py" />
      <source>live bytes</source>
      <translation>存活字节</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory.py" />
      <source>iteration {index}</source>
      <translation>迭代 {index}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source> for {end_ns}</source>
      <translation>，持续 {end_ns}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>, still live</source>
      <translation>，仍存活</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>blocks</source>
      <translation>内存块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>from {begin_ns}</source>
      <translation>自 {begin_ns}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>life</source>
      <translation>生存期</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>line</source>
      <translation>代码行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>reserved</source>
      <translation>已预留</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>{count} modules</source>
      <translation>{count} 个模块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_groups.py" />
      <source>no module</source>
      <translation>无模块</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_names.py" />
      <source>{operator} of {module}</source>
      <translation>{module} 的 {operator}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_selection.py" />
      <source>saved by {name}</source>
      <translation>由 {name} 保存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_selection.py" />
      <source>{blocks} of the selection</source>
      <translation>属于所选内容的 {blocks}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_state.py" />
      <source>{count} event</source>
      <translation>{count} 个事件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_state.py" />
      <source>{count} events</source>
      <translation>{count} 个事件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_state.py" />
      <source>{dropped} dropped: the curve may be off</source>
      <translation>丢弃了 {dropped}：曲线可能不准</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/output.py" />
      <source>… {size} were printed here that are not kept</source>
      <translation>… 此处打印的 {size} 未保留</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/output_traceback.py" />
      <source>The script's own words are not on record; this is the exception that ended it.</source>
      <translation>没有记录脚本自己的输出；这是使它结束的异常。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>Gradients, {stage}: {rows}, iterations {first}–{last}.</source>
      <translation>梯度，{stage}：{rows}，迭代 {first}–{last}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>Held at line {line}.</source>
      <translation>停在第 {line} 行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>Held at {node}.</source>
      <translation>停在 {node}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>Line {line} is selected.</source>
      <translation>已选中第 {line} 行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>Looking at the newest moment.</source>
      <translation>正在看最新时刻。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>Looking at {time}.</source>
      <translation>正在看 {time}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>The file is newer than the run.</source>
      <translation>文件比运行更新。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{counts}. The first: {message}</source>
      <translation>{counts}。第一个：{message}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{count} iteration</source>
      <translation>{count} 个迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{count} iterations</source>
      <translation>{count} 个迭代</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{count} line</source>
      <translation>{count} 行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{count} problem</source>
      <translation>{count} 个问题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{count} problems</source>
      <translation>{count} 个问题</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{count} row</source>
      <translation>{count} 行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{count} rows</source>
      <translation>{count} 行</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{count} with {bytes} {seen}. The largest: {name}, {largest}.</source>
      <translation>{count}，共 {bytes}，{seen}。最大：{name}，{largest}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{file}, {lines}.</source>
      <translation>{file}，{lines}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{iterations} in {time}.</source>
      <translation>{time} 内 {iterations}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{lines}. The last: {text}</source>
      <translation>{lines}。最后：{text}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{problems} marked.</source>
      <translation>已标记 {problems}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/panel_words.py" />
      <source>{rows}, from {first} to {last}.</source>
      <translation>{rows}，从 {first} 到 {last}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>1 error</source>
      <translation>1 个错误</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>1 note</source>
      <translation>1 个提示</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>1 warning</source>
      <translation>1 个警告</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>iteration {number}</source>
      <translation>迭代 {number}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>iterations {first}–{last}</source>
      <translation>迭代 {first}–{last}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>{count} errors</source>
      <translation>{count} 个错误</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>{count} notes</source>
      <translation>{count} 个提示</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>{count} warnings</source>
      <translation>{count} 个警告</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/rank_lanes.py" />
      <source>Click shows this rank</source>
      <translation>点击以显示该 rank</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/rank_lanes.py" />
      <source>The others wait for it: look at its longest iterations, marked below the lane.</source>
      <translation>其他 rank 在等它：请看它最长的迭代，已在该行下方标出。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/rank_lanes.py" />
      <source>died</source>
      <translation>已终止</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/rank_lanes.py" />
      <source>exit {code}</source>
      <translation>退出码 {code}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/rank_lanes.py" />
      <source>silent</source>
      <translation>无响应</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/rank_lanes.py" />
      <source>{time} an iteration (median)</source>
      <translation>每次迭代 {time}（中位数）</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/rank_lanes.py" />
      <source>{time} of its own work an iteration (median)</source>
      <translation>每次迭代自身工作 {time}（中位数）</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/ranks.py" />
      <source>Click to look at it</source>
      <translation>点击查看</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/ranks.py" />
      <source>Waiting, {ranks} held</source>
      <translation>等待中 {ranks} 已暂停</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/ranks.py" />
      <source>silent for {quiet}, before backward {backward}: the others wait for it</source>
      <translation>已沉默 {quiet}，在反向传播 {backward} 之前：其他进程在等它</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>A memory snapshot: P goes to its peak, a click on a block says who made it.</source>
      <translation>内存快照：P 跳到峰值，点击内存块可查看由谁创建。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>Click in time to look back; Ctrl+Shift+S keeps the run, Ctrl+Shift+F5 runs it again.</source>
      <translation>点击时间回看；Ctrl+Shift+S 保存此次运行，Ctrl+Shift+F5 重新运行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>Click in time to look back; Ctrl+Shift+S keeps the run.</source>
      <translation>点击时间回看；Ctrl+Shift+S 保存此次运行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>Click in time, or go node by node with F10 and Shift+F10.</source>
      <translation>点击时间，或用 F10 和 Shift+F10 逐节点移动。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>F10 runs this node, F11 goes to the next module, F5 lets it run on.</source>
      <translation>F10 运行此节点，F11 到下一个模块，F5 继续运行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>F6 holds before the next node of a backward; a click in time looks back.</source>
      <translation>F6 在反向传播的下一个节点前暂停；点击时间可回看。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>It ended before torch was imported: nothing of it is on record but what it printed.</source>
      <translation>它在导入 torch 之前就结束了：除了它打印的内容，没有其他记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>It holds before the next node of a backward; F5 lets it run on.</source>
      <translation>将在反向传播的下一个节点前暂停；按 F5 让它继续运行。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>No backward yet: Events, Memory timeline and Storages fill already.</source>
      <translation>还没有反向传播：事件、内存时间线和存储已开始填充。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>No backward() ran: see Events and Memory timeline for what did.</source>
      <translation>没有运行 backward()：请在“事件”和“内存时间线”中查看运行了什么。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>Operators appear as soon as the script imports torch.</source>
      <translation>脚本导入 torch 后，算子会立即出现。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>Out of memory: Memory timeline lists what was largest at the end; P goes to the peak.</source>
      <translation>内存不足：“内存时间线”列出了最后最大的内容；按 P 转到峰值。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>Output has the traceback, Source the line; F8 goes to problems, if any were found.</source>
      <translation>输出面板有回溯，源代码面板有出错的行；若发现了问题，F8 会转到那里。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>Python probe: no allocations, no stops. Install g++ and start again.</source>
      <translation>Python 探针：没有内存分配，不能停止。请安装 g++ 后重新启动。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>Recorded time. Shift+F10 and F10 go node by node, End returns to now.</source>
      <translation>这是已记录的时间。Shift+F10 和 F10 逐节点移动，End 回到现在。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>The script never imported torch: nothing of it is on record.</source>
      <translation>脚本从未导入 torch：没有它的任何记录。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>The script starts when the probe is compiled: under a minute, once for this torch.</source>
      <translation>探针编译完成后脚本即开始：不到一分钟，每个 torch 只需一次。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>This machine cannot keep up: gaps are hatched. Try --no-stacks, or --iterations N.</source>
      <translation>本机跟不上：缺口以斜线标出。可尝试 --no-stacks 或 --iterations N。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>What came stays here: click in time to look back, Ctrl+Shift+S keeps it.</source>
      <translation>已收到的内容保留在此：点击时间回看，Ctrl+Shift+S 保存。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_advice.py" />
      <source>What came until then stays: Events ends with what ran last.</source>
      <translation>此前的内容保留：“事件”末尾是最后运行的内容。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_growth.py" />
      <source>It appears with the script's first backward().</source>
      <translation>脚本第一次运行 backward() 时出现。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_growth.py" />
      <source>It ended before its first backward was done.</source>
      <translation>在第一次反向传播完成前就结束了。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_growth.py" />
      <source>Step with F10 or continue with F5.</source>
      <translation>按 F10 单步，或按 F5 继续。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Click to return to now (End)</source>
      <translation>点击回到现在 (End)</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Detail of iterations {first} to {last} is not all here; what is recorded comes when you go there.</source>
      <translation>迭代 {first} 到 {last} 的细节不全在这里；转到那里时，已记录的会取来。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Detail was let go for good among iterations {first} to {last}.</source>
      <translation>迭代 {first} 到 {last} 之间有细节已永久舍弃。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Disk: at most {budget}. Set both with --keep.</source>
      <translation>磁盘：最多 {budget}。两者用 --keep 设置。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Events that found no free block in the ring</source>
      <translation>环形缓冲区中没有空闲块可用的事件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Held at {end_ns}</source>
      <translation>已暂停 于 {end_ns}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Held time is left out: {held_ns}</source>
      <translation>不含暂停时间：{held_ns}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Kept in full besides, for a stop, an exception, a peak, a gradient that is not finite or a bookmark: {count}.</source>
      <translation>此外因停止、异常、峰值、非有限梯度或书签而完整保留：{count}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Kept in full when it gets too much: the first {first} iterations and the last {last}.</source>
      <translation>数据过多时完整保留：前 {first} 次和后 {last} 次迭代。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Looking back</source>
      <translation>回看</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Memory: {used} of {budget}, shared by {count} ranks.</source>
      <translation>内存：{used} / {budget}，由 {count} 个 rank 共用。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Memory: {used} of {budget}.</source>
      <translation>内存：{used} / {budget}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>The cost of watching is not known yet.</source>
      <translation>观测开销尚不清楚。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Watched, the script takes {ratio} the time it takes alone.</source>
      <translation>在观测下，脚本耗时是单独运行的 {ratio}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>building the probe</source>
      <translation>正在编译探针</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>connected</source>
      <translation>已连接</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>cost</source>
      <translation>开销</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>dropped</source>
      <translation>已丢弃</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>ended</source>
      <translation>已结束</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>not connected</source>
      <translation>未连接</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>rank {rank} of {ranks}</source>
      <translation>rank {rank}，共 {ranks} 个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>recording</source>
      <translation>录制文件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>recording {recording_bytes}</source>
      <translation>录制 {recording_bytes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>run {end_ns}</source>
      <translation>运行 {end_ns}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>starting</source>
      <translation>正在启动</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>torch not imported</source>
      <translation>未导入 torch</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>torch not imported yet</source>
      <translation>尚未导入 torch</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{cost}
No event was dropped.</source>
      <translation>{cost}
没有丢弃事件。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{cost}
{dropped} dropped.</source>
      <translation>{cost}
丢弃了 {dropped}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{count} damaged frame</source>
      <translation>{count} 个损坏的帧</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{count} damaged frames</source>
      <translation>{count} 个损坏的帧</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{dropped} dropped</source>
      <translation>丢弃 {dropped}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{events} events</source>
      <translation>{events} 个事件</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{probe} probe</source>
      <translation>{probe} 探针</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{tracker} is off</source>
      <translation>{tracker} 已关闭</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/scrubber.py" />
      <source>Held before {node}</source>
      <translation>停在 {node} 之前</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/scrubber.py" />
      <source>Peak of allocated memory</source>
      <translation>已分配内存的峰值</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/sharing.py" />
      <source>{count} more</source>
      <translation>另外 {count} 个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/sharing.py" />
      <source>{count} more holder</source>
      <translation>另外 {count} 个持有者</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/sharing.py" />
      <source>{count} more holders</source>
      <translation>另外 {count} 个持有者</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/sharing.py" />
      <source>{count} more tensor</source>
      <translation>另外 {count} 个张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/sharing.py" />
      <source>{count} more tensors</source>
      <translation>另外 {count} 个张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/source_view.py" />
      <source>ops</source>
      <translation>算子</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/source_view.py" />
      <source>{count} operator</source>
      <translation>{count} 个算子</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/source_view.py" />
      <source>{count} operators</source>
      <translation>{count} 个算子</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/source_view.py" />
      <source>{live_bytes:,} B live at the cursor, mostly {category}</source>
      <translation>光标处存活 {live_bytes:,} B，主要是{category}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/source_view.py" />
      <source>{operators} called in {when}</source>
      <translation>在{when}中调用了 {operators}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/source_view.py" />
      <source>{saved_bytes:,} B saved for the backward, without parameters</source>
      <translation>为反向传播保存了 {saved_bytes:,} B，不含参数</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/source_view.py" />
      <source>{time_ms:,.6f} ms in {when}, forward and backward</source>
      <translation>{when}中共 {time_ms:,.6f} ms，前向与反向</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>An expanded view: the same bytes stand for several elements, and take no more memory.</source>
      <translation>扩展视图：同样的字节代表多个元素，不占更多内存。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>Kept for the backward of {nodes}.</source>
      <translation>为 {nodes} 的反向传播保留。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>Live tensors reach {few} of these {all}; a clone of them would let the rest go.</source>
      <translation>存活张量只用到 {all} 中的 {few}；克隆它们即可释放其余部分。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>Memory that torch's allocators did not give: NumPy, shared memory or a mapped file.</source>
      <translation>不是 torch 分配器给出的内存：NumPy、共享内存或映射文件。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>One parameter under several names: {names}.</source>
      <translation>一个参数有多个名称：{names}。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>Tensors that lie on the same bytes.</source>
      <translation>位于相同字节上的张量。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>external</source>
      <translation>外部</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>saved by {count} nodes</source>
      <translation>被 {count} 个节点保存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>saved by {node}</source>
      <translation>被 {node} 保存</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>written at {place}</source>
      <translation>写于 {place}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>{few} keeps {all}</source>
      <translation>{few} 保留了 {all}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>{few} view keeps {all}</source>
      <translation>{few} 的视图保留了 {all}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_badges.py" />
      <source>{operator} wrote it last.</source>
      <translation>最后由 {operator} 写入。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>0x{data:x} on {device}</source>
      <translation>{device} 上的 0x{data:x}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>Held by</source>
      <translation>持有者</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>No operator on record had it among its tensors.</source>
      <translation>记录中没有算子用过它。</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>Operators</source>
      <translation>算子</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>Reads and writes</source>
      <translation>读与写</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>copies</source>
      <translation>复制</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>last writer</source>
      <translation>最后写入者</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>makes</source>
      <translation>创建</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>reads</source>
      <translation>读取</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>shares</source>
      <translation>共享</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>views</source>
      <translation>视图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>what torch.save writes</source>
      <translation>torch.save 写出的内容</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>writes</source>
      <translation>写入</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>writes {bytes}</source>
      <translation>写出 {bytes}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>writes {bytes}, {ratio} its elements</source>
      <translation>写出 {bytes}，为其元素的 {ratio}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>{count} copies</source>
      <translation>{count} 次复制</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>{count} copy</source>
      <translation>{count} 次复制</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>{count} read</source>
      <translation>{count} 次读取</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>{count} reads</source>
      <translation>{count} 次读取</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>{count} view</source>
      <translation>{count} 个视图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>{count} views</source>
      <translation>{count} 个视图</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>{count} write</source>
      <translation>{count} 次写入</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>{count} writes</source>
      <translation>{count} 次写入</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_detail.py" />
      <source>{first}–{last} of {count}, around the cursor</source>
      <translation>{count} 中的第 {first}–{last}，光标附近</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_groups.py" />
      <source>line not known</source>
      <translation>行未知</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storage_groups.py" />
      <source>outside of modules</source>
      <translation>模块之外</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source> and {holders} more</source>
      <translation> 等，另有 {holders} 个</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>an unknown moment</source>
      <translation>未知时刻</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>as of iteration {iteration}'s end</source>
      <translation>截至迭代 {iteration} 结束</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>as of {reason} at {seen_ns}</source>
      <translation>截至{reason}，{seen_ns}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>is</source>
      <translation>属性</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>not torch's own: NumPy, shared or mapped</source>
      <translation>不属于 torch：NumPy、共享内存或内存映射</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>note</source>
      <translation>注意</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>same bytes</source>
      <translation>相同字节</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>stride</source>
      <translation>步幅</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>stride {stride}{offset}</source>
      <translation>步幅 {stride}{offset}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>tensor</source>
      <translation>张量</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>the exception</source>
      <translation>异常时</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>the hold</source>
      <translation>暂停时</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>the script's end</source>
      <translation>脚本结束</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>writes {whole}, the whole storage; its elements are {own}</source>
      <translation>写出 {whole}，即整个存储；其元素为 {own}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>{begin_byte:,} – {end_byte:,}, {share} of the storage</source>
      <translation>{begin_byte:,} – {end_byte:,}，占存储的 {share}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>{stride}, offset {offset:,}</source>
      <translation>{stride}，偏移 {offset:,}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/welcome.py" />
      <source>{script}, process {pid}</source>
      <translation>{script}，进程 {pid}</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>Before the first iteration</source>
      <translation>第一次迭代之前</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>Outside of iterations</source>
      <translation>迭代之外</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>activation</source>
      <translation>激活</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>buffer</source>
      <translation>缓冲区</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>input</source>
      <translation>输入</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>optimizer state</source>
      <translation>优化器状态</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>other</source>
      <translation>其他</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>raw</source>
      <translation>原始</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>temporary</source>
      <translation>临时</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>unknown</source>
      <translation>未知</translation>
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>unscaled</source>
      <translation>反缩放后</translation>
    </message>
  </context>
</TS>
