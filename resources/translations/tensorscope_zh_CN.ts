<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>TensorScope</name>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>Job {name} is over ({outcome}), and its recording {path} is gone.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>Job {name} is over ({outcome}); this is its recording, {path}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>No job is served; start one with tensorscope serve train.py.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>There are several jobs; say which: tensorscope attach JOB</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/attach.py" />
      <source>its host was ended before its script</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/join.py" />
      <source>There is no torch in the environment of {interpreter}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/join.py" />
      <source>building the probe for this torch, once; it takes ten to thirty seconds …</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/join.py" />
      <source>serving job {name}. To look at it: tensorscope attach {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/keep_spec.py" />
      <source>--keep needs memory=1GiB,disk=4GiB,first=3,last=20 or some of these, not {part}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/keep_spec.py" />
      <source>--keep {name} needs a number of iterations, not {value}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/keep_spec.py" />
      <source>--keep {name} needs a size from 1MiB on, such as 512MiB or 2GiB, not {value}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/query_ranks.py" />
      <source>There is no rank {rank} on record; there is rank {ranks}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/cli/serve.py" />
      <source>Serving job {name}. To look at it: tensorscope attach {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/export/graph_dot.py" />
      <source>{count} node</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/export/graph_dot.py" />
      <source>{count} nodes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>All actions…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Breakpoint at this line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Change to the other theme</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Clear the selection</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Close window</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Close; the script runs on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Continue</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Dark or light</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>End the script</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Export picture of the window…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Export picture…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Find an action by its words</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Follow the run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Give the focused panel the whole window, and back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Go to the next problem</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Go to the problem before</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Go to {panel}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Hold before the next node of a backward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Keep this run as a recording</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Let the script run on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Look back one node in what is recorded; Node goes forward again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Maximize panel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Module</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Next problem</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Next rank</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Node</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Open a recording in a window of its own</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Open recording…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Out</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Pause</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Previous problem</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Previous rank</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Restart</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Return from the past, then clear the selection</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Return the cursor to now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run on and hold before a node of another module</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run on and hold before the first node of the next iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run on and hold before the first node outside the block around this one</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run the script again from its start</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Run this node and hold before the next</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Save as…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Save the focused panel as a picture</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Save the whole window as a picture</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Set or take away a breakpoint at the line that is selected in Source</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Show every key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Show the next rank of the job</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Show the rank before</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/actions.py" />
      <source>Stop</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>Another breakpoint, Enter to set it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>Break</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>Break: {what}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>NaN, Inf</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>No breakpoint is set: click left of a line in Source, or choose here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>Remove all of these</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/break_menu.py" />
      <source>node:Addmm*  module:h.2  param:*.bias  line:model.py:77  iteration:3  grad&gt;100</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/command_palette.py" />
      <source>Find an action</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/command_palette.py" />
      <source>No action has these words.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Export picture</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>No line is selected: click one in Source first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Open a recording</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>PNG picture (*.png)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Save the recording</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>Saved {chosen}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>TensorScope recording (*.tscope)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/commands.py" />
      <source>The picture could not be written to {chosen}: choose a folder that exists and can be written.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Arrows</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Events, Graph: find</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Graph: next and previous find (also N, Shift+N)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Graph: open or fold the chosen group</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Graph: the backward before and after</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Graph: way from the selection, zoom to it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Graph: zoom in and out, 100 %</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Memory timeline: go to the peak</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Memory timeline: move along time</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Memory timeline: zoom in and out at the pointer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Show all, or the selection</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Walk over rows, nodes and cells; in Events ← and → fold and open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Wheel, drag</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>Zoom, move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/keys.py" />
      <source>{action}: {hint}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/main_window.py" />
      <source>The other panels still work.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/main_window.py" />
      <source>{title} could not be made: {error}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Events</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Gradients</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Graph</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Inspector</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Memory timeline</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Problems</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Source</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/catalog.py" />
      <source>Storages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/code_area.py" />
      <source>Breakpoint: click to take it away (F9)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/code_area.py" />
      <source>Breakpoint: no operator has run on this line yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/code_area.py" />
      <source>Click to hold backwards before the nodes of this line (F9)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Filter: op, module, &gt; 1 MiB</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>No operator is on record.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>Nothing has run yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>The script ended without having run one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>The script's operators appear here as soon as it imports torch.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/events.py" />
      <source>{sum} found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>Gradient norms by parameter and iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>No gradient on record yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>in no optimizer: it is never stepped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>iteration {iteration}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients.py" />
      <source>{row}, iteration {iteration}: {facts}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Copy all rows</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Copy the row's numbers  (Ctrl+C)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Fold into its module  (−)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Leave the curve out  (M)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Open the module  (+)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Pin the curve  (P)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_menu.py" />
      <source>Show only this curve  (O)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Curves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Gradient norm, row × iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>How the gradients are shown</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Leave outliers out of the range</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Logarithmic axis</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Range, axis, rows and curves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Rows</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Show all curves again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Show the whole map  (F)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>Stage of the gradients</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>What a row of the map stands for</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>What the curves below the map show</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>modules</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>modules, depth {depth}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>parameters</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/gradients_tools.py" />
      <source>whole model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph.py" />
      <source>Click where the path leads to. Esc leaves it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph.py" />
      <source>No backward yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph.py" />
      <source>Saved {path}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph.py" />
      <source>Step with F10 or continue with F5.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph.py" />
      <source>The run ended before its first backward.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Close</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Close everything</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Copy name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Fit into the panel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Let it close again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Open everything</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Path from the selection to here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Path to…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Pin: keep it open</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Shift+click</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Unroll {count} equal ones</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_context.py" />
      <source>Zoom to it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>DOT for graphviz (*.dot)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>Export graph</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>PDF by graphviz (*.pdf)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_export.py" />
      <source>SVG picture (*.svg)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_finder.py" />
      <source>none</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_finder.py" />
      <source>{count} found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_finder.py" />
      <source>{number} of {count}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Close everything in the graph</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Compare</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Drawn from live tensors: while the script is held in this backward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Export</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Export graph…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Groups</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>Open everything in the graph</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>There is no other backward yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>What changed since the backward before</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>With another backward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_keys.py" />
      <source>torchviz picture of this backward…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>As data flows, from the inputs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>As gradients flow, from the loss</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Direction</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Element types on edges</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Full names</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Left to right</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Parameters</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Saved bytes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Shapes on edges</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Show</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Times</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_menu.py" />
      <source>Top to bottom</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_side.py" />
      <source>Close the list  (Esc)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_side.py" />
      <source>Found in the graph</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_side_kinds.py" />
      <source>Kinds of hits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Backward after this one  ]</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Backward before this one  [</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Colour: {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Directions, what is shown, groups, comparing, exports</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Find a node, module, parameter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>Follow the cursor and the run again</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>What the colours of the nodes show</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_tools.py" />
      <source>backward {backward}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>DOT (*.dot)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>PDF (*.pdf)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>PNG (*.png)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>SVG (*.svg)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/graph_torchviz.py" />
      <source>torchviz picture of backward {number}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/inspector.py" />
      <source>Copy all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Blocks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Categories</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Click selects the block</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Device</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Install the package g++ and start again: then the native probe watches.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>It fills as soon as the script makes its first tensor.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>No memory on record yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>Save this picture…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>The Python probe sees no allocations.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>This run has no allocations on record.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>at cursor</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory.py" />
      <source>now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_camera.py" />
      <source>Save picture of the memory timeline</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_side.py" />
      <source>Largest at peak</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_side.py" />
      <source>Live at cursor</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_side.py" />
      <source>{count} block</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/memory_side.py" />
      <source>{count} blocks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>Looked at the run up to {time}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>No problem was found yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>No problem was found.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/problems.py" />
      <source>The whole run was looked at.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/source.py" />
      <source>No line has run yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/source.py" />
      <source>The recording keeps names and lines, not the text of files.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/source.py" />
      <source>The script's lines appear here with what each costs.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source> (part of them, out of time)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source> + {external_bytes} external</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>Filter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>Move the cursor to a later moment.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>No storage was alive then.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>No storage was looked at yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>They are listed at the end of each iteration and where the script is held.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages.py" />
      <source>Words that must occur: names, operators, lines, categories, dtypes, external, view</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Bytes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Last writer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Layout</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Shape</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Size</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>Storage, views</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>base</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>view</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/panels/storages_model.py" />
      <source>{kind}, {layout}, version {version}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/picture.py" />
      <source>The picture of the window took longer than two minutes; try a smaller recording.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/rank_selector.py" />
      <source>  (Ctrl+PgUp, Ctrl+PgDown)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/rank_selector.py" />
      <source>The rank that the panels show</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>Follow</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>Keep the newest events in view</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>To now</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>To the iteration before</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>To the next iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/scrubber.py" />
      <source>To the start of the run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/sheet_header.py" />
      <source>Maximize this panel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/sheet_header.py" />
      <source>Restore the layout</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/sheet_header.py" />
      <source>What else this panel can do</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/gui/toolbar.py" />
      <source>Menu</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/event_row.py" />
      <source>Event</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/event_row.py" />
      <source>Memory</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/event_row.py" />
      <source>Time</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_lanes.py" />
      <source>steps</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>NaN or Inf</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>accumulated</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>all zero</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>clipped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>no gradient</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>norm</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>not run or not read</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_legend.py" />
      <source>step skipped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/gradients_map.py" />
      <source>iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_groups.py" />
      <source>raised</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_groups.py" />
      <source>{done} of {words}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_heat.py" />
      <source>no {measure} known</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_heat.py" />
      <source>not finite</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_heat.py" />
      <source>not known</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_heat.py" />
      <source>of parameters' .grad</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>Laying out, {share} done. Esc cancels.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>done</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>freed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>gradient written</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>held</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>parameter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>saved</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_legend.py" />
      <source>waiting</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_nodes.py" />
      <source> · {saved_bytes} saved</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/graph_nodes.py" />
      <source>held here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>capacity {capacity_bytes}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>capacity {named_capacity_bytes}, above</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>peak {bytes}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_marks.py" />
      <source>reserved {highest}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_side.py" />
      <source>Click hides, Alt+click solos</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_side.py" />
      <source>allocated</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/memory_side.py" />
      <source>at peak</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/scrubber.py" />
      <source>iteration {label}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/source.py" />
      <source>the run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/source.py" />
      <source>time and live bytes, {when}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/source.py" />
      <source>{title} has changed since the run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/storage_row.py" />
      <source>contiguous</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/storage_row.py" />
      <source>external</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/storage_row.py" />
      <source>stride 0</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/render/storage_row.py" />
      <source>strided</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Attached to {name}; its history comes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Attached to {name}; {received} of {total} MiB of its history are here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Connection ended: {reason}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Connection lost; attach again: tensorscope attach {job}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Detached; attach again: tensorscope attach {job}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>Host gone; the script runs on unwatched</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>The copy of the recording stopped: {reason}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>What came stays: {path}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>torchviz's picture is drawn where the window has started the script; this one is attached to: export DOT instead.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/attached.py" />
      <source>{target} cannot be attached: {reason}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>The host of job {name} does not answer; is process {pid} stopped?</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>The relay on {host} ended: {reason}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>There is no ssh here; install it (openssh-client), or give a job of this machine.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>There is no {command} on the PATH of {host}; give its path there: --remote-command ~/venv/bin/tensorscope</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>exit code {code}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>it said nothing</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>ssh could not reach {host}: {reason}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/connection.py" />
      <source>{host} is no name of a machine; give HOST:JOB.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>--name needs letters, digits, _ . and -, up to {most}, a letter first; not {name}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There are too many jobs {name}; give --name another.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There is a job {name} already; give --name another.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There is no job {job}, and none is served; start one with tensorscope serve train.py.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There is no job {job}; served are: {names}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>There is no private folder for the job's socket: {folder} is another user's.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>its host is gone</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/jobs.py" />
      <source>served</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/joined.py" />
      <source>Detached by the process; what came stays. tensorscope.attach() there attaches again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/joined.py" />
      <source>The process was ended from outside; what came stays.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/live.py" />
      <source>The Python probe cannot stop in a backward. Install the package g++ and start again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/rank_table.py" />
      <source>process {rank}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/rank_table.py" />
      <source>rank {distributed}, process {pid}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/rank_table.py" />
      <source>rank {rank}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/relay.py" />
      <source>Job {name} is over ({outcome}); its recording on {machine} is {path}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/replay.py" />
      <source>torchviz draws live tensors, and a recording has none: export DOT instead.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source> after {operator}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source> in {operator}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Building the probe, once for this torch</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Ended</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Ended by {exception}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Ended without a word: killed, or by os._exit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Ended, exit code {code}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Held before node {position} of {count}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Killed by {signal}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Pausing at the next node</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Running out of the block</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Running to the next iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Running to the next module</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Running, iteration {iteration}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Starting</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>Stopped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>The recording stops before the script's end</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>an exception</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/status.py" />
      <source>signal {number}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/watched.py" />
      <source>torchviz draws live tensors: pause with F6 inside a backward first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/watched.py" />
      <source>torchviz gave no picture in {seconds} s.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/session/watched.py" />
      <source>torchviz gave no picture.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/breakpoints.py" />
      <source>NaN or infinity in a gradient</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/code.py" />
      <source>{name} cannot be read: {error}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/code.py" />
      <source>{name} is larger than 4 MiB.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/code.py" />
      <source>{name} is not here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/event_rows.py" />
      <source>Iteration {number}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/event_rows.py" />
      <source>{name}: {duration_ns:,} ns from {begin_ns:,} ns, {memory_delta_bytes:+,} B</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>all {count} are zero</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>and</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>backward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>backward {number}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>elements</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>gradient</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>largest</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>learning rate</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>loss scale</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>lr</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>max |x|</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>none in this iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>none on record: the backward raised</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>norm, {stage}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>not clipped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>not computed yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>not read on this device</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>skipped by GradScaler</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>step</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>to {limit}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>update norm</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>weight norm</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{count} backwards</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{count} backwards before</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{count} elements</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{count} of {all}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_cards.py" />
      <source>{norm} to {limit}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>Choose a row of the map.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>No histogram of it was taken yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>Nothing of this is on record.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>histograms</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>norms</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>stages</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>update</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>update ÷ weight</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>weight</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>weight and update</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_series.py" />
      <source>≈ lr × grad ÷ weight</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_spread.py" />
      <source>last at {iteration}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/gradient_spread.py" />
      <source>{count} taken</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_backwards.py" />
      <source>Backward {number}, iteration {iteration}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_backwards.py" />
      <source>Backward {number}, iteration {iteration}: another shape</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>  {nonfinite} not finite</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source> in {saved} tensors</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>Gradient</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>Gradient {shape}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>accumulated in</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>and {links} more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>double click closes it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>double click opens it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>from</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>gradient in</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>gradient still to come</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>leaf tensor</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>module</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>nodes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>norm of .grad</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>norm of .grads</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>raised after {backward_ns}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>saved bytes unknown for this backward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>saved {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>shape</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>through</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>tied</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>to</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>to {receiver}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>{count} element</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>{done} of {nodes} done</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_cards.py" />
      <source>{ran}  (forward {forward_ns})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>Against backward {other} of iteration {iteration}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>equal graphs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>gone</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>new</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>of another shape</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>other edges</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>other shape</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>saved bytes equal</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>with other edges</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>{bytes} saved</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_change.py" />
      <source>{ratio} the time</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_find.py" />
      <source>lines</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_find.py" />
      <source>tensors</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>change</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>gradient norm</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>non-finite</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>progress</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>saved bytes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_heat.py" />
      <source>time</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>No gradient runs between {first} and {second}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>more than {count}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{count} edge</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{count} edges</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{ends}: the only way, {edges}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{ends}: {edges} on the shortest of {count} ways; {nodes} lie between</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_path.py" />
      <source>{source} to {target}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_request.py" />
      <source>There is no other backward to compare with yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_scene.py" />
      <source>{count} tensors</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>Found: {query}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>Nothing here holds all of these words.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>Path</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>What changed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>{line} made {nodes}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>{made}, {drawn} of them drawn; the rest in closed groups</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_side.py" />
      <source>{words}. Below: where most time was added.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/graph_work.py" />
      <source>The layout was cancelled.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Allocated less freed while it ran.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Inputs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>It has none.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Of its newest call.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Operator</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>Outputs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>a view of an input</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>began at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>called at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>calls</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>forward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>in node</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>memory</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>new memory</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>node {node} of backward {backward}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>written in place</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>{count} parameter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_code.py" />
      <source>{count} parameters</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>Large storages, small views</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>Largest at the peak</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>Slowest lines</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>Slowest modules</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>names reach {reached}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>never had one</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>norm, backward {backward}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>of {most_blocks} blocks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>smallest</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>storage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_digest.py" />
      <source>{maker} result</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>Block</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>How often it was written in place.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>Storage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>Tensors</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>address</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>alive</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>allocated at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>bytes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>category</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>freed at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>held by</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>last written by</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>lived</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>made at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>made by</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>not contiguous</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>operator</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>seen at {seen_ns}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>size</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>state</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>unnamed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>version</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>written at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>{nbytes} storage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_memory.py" />
      <source>{size} block</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Gradient in</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Gradients out</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>It has not run yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>It was not stepped over.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Saved tensors</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Step with F10 to see them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>The operator that made it is not on record.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>The run was not held here. Norms of parameters' gradients are kept for all.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>Values are seen at stops: pause with F6, step with F10. Norms of parameters' gradients are kept for all.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>backward {backward} · {id}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>forward output</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>from the loss</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>from {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>let go</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>mean {mean}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>no NaN, no Inf</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>norm · max |x|</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>seq {sequence_nr}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>until it raised</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>{bad} not finite</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_node.py" />
      <source>{numel:,} elements</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>No gradient has been written yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>No gradient yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>Parameter</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>also named</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>backward {backward} · norm · max |x|</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>device</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>none: it is never updated</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_parameter.py" />
      <source>optimizer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>It ended before the script began.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>It had no iteration: none ran backward().</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>It has no message.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>Kept</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>Model</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>No iteration yet. One ends with each optimizer.step().</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>Of allocated bytes, on the device where it was highest.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>Run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>The run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>The script has not begun. It starts once the probe fits this torch; the first time that is compiled, for about a minute. Then its iterations, its peak and its slowest lines stand here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>budgets</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>detail let go</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>devices</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>first {first}, last {last}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>in full</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>iterations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>iterations {first} to {last}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>optimizers</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>peak</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>raised at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>{index:,}, not ended</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/inspector_run.py" />
      <source>{memory} of memory, {disk} of disk</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory.py" />
      <source>iteration {index}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source> for {end_ns}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>, still live</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>from {begin_ns}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>life</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>phase</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_cards.py" />
      <source>reserved</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_selection.py" />
      <source>saved by {name}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_state.py" />
      <source>{count} event</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_state.py" />
      <source>{count} events</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/memory_state.py" />
      <source>{dropped} dropped: the curve may be off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>iteration {number}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/problems.py" />
      <source>iterations {first}–{last}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/ranks.py" />
      <source>Click to look at it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/ranks.py" />
      <source>Waiting, {ranks} held</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/ranks.py" />
      <source>silent for {quiet}, before backward {backward}: the others wait for it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_growth.py" />
      <source>It appears with the script's first backward().</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_growth.py" />
      <source>It ended before its first backward.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Click to return to now (End)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Detail was let go in iterations {first} to {last}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Disk: at most {budget}. Set both with --keep.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Events that found no free block in the ring</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Held at {end_ns}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Held time is left out: {held_ns}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Kept in full when it gets too much: the first {first} iterations and the last {last}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Looking back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Memory: {used} of {budget}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>The cost of watching is not known yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>Watched, the script takes {ratio} the time it takes alone.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>building the probe</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>connected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>cost</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>dropped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>ended</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>not connected</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>rank {rank} of {ranks}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>recording</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>recording {recording_bytes}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>run {end_ns}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>starting</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>torch not imported</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>torch not imported yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{cost}
No event was dropped.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{cost}
{dropped} dropped.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{count} damaged frame</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{count} damaged frames</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{dropped} dropped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{events} events</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{probe} probe</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/run_state.py" />
      <source>{tracker} is off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/source_view.py" />
      <source>{live_bytes:,} B live at the cursor, mostly {category}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/source_view.py" />
      <source>{time_ms:,.6f} ms in {when}, forward and backward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source> and {holders} more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>an unknown moment</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>as of iteration {iteration}'s end</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>as of {reason} at {seen_ns}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>is</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>last writer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>not torch's own: NumPy, shared or mapped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>same bytes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>stride</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>stride {stride}{offset}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>tensor</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>the exception</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>the hold</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>the script's end</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>{begin_byte:,} – {end_byte:,}, {share} of the storage</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/storages.py" />
      <source>{stride}, offset {offset:,}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>Before the first iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>Outside of iterations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>activation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>buffer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>input</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>optimizer state</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>other</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>raw</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>temporary</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>unknown</source>
      <translation type="unfinished" />
    </message>
    <message>
      <location filename="../../tensorscope/viewmodel/words.py" />
      <source>unscaled</source>
      <translation type="unfinished" />
    </message>
  </context>
</TS>
