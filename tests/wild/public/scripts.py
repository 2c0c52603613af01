"""The public scripts: where each comes from, how it is run, and every edit that makes it short or spares it a download."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.wild.public import data

Edits = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Repository:
    """``name`` is its folder's name as well."""

    owner: str
    name: str
    commit: str


@dataclass(frozen=True)
class Script:
    """``edits`` are pairs of a regular expression and what stands in its place, in the script itself; ``prepare`` writes data into its folder."""

    kind: str
    repository: Repository
    path: str
    arguments: str = ""
    edits: Edits = ()
    prepare: Callable[[Path], None] | None = None
    search: tuple[str, ...] = ()
    trains: bool = True
    differs: str = ""
    """A regular expression of what two plain runs print differently, besides times and addresses."""
    name: str = ""
    remark: str = ""


EXAMPLES = Repository("pytorch", "examples", "77f55b9")
MINGPT = Repository("karpathy", "minGPT", "37baab7")
NANOGPT = Repository("karpathy", "nanoGPT", "3adf61e1")
MAKEMORE = Repository("karpathy", "makemore", "988aa59")
NLP = Repository("graykode", "nlp-tutorial", "d05e31e")
JOHNSON = Repository("jcjohnson", "pytorch-examples", "0003fcd")
MORVAN = Repository("MorvanZhou", "PyTorch-Tutorial", "dbe154a")
YUNJEY = Repository("yunjey", "pytorch-tutorial", "0500d3d")
ZERO = Repository("hunkim", "PyTorchZeroToAll", "e5a260f")
GANS = Repository("eriklindernoren", "PyTorch-GAN", "36d3c77")
DEVNAG = Repository("devnag", "pytorch-generative-adversarial-networks", "26db8c9")
MINIMAL_RL = Repository("seungeunrho", "minimalRL", "c8efed8")
CLEANRL = Repository("vwxyzjn", "cleanrl", "fe8d8a03")
DIFFEQ = Repository("rtqichen", "torchdiffeq", "657943a")
DEEPXDE = Repository("lululxvi", "deepxde", "99b66203")
DIFFUSION = Repository("tanelp", "tiny-diffusion", "726b6bb")
PYGCN = Repository("tkipf", "pygcn", "1600b5b")
PYGAT = Repository("Diego999", "pyGAT", "3664f2d")
GEOMETRIC = Repository("pyg-team", "pytorch_geometric", "5c6461b23")
ACCELERATOR = Repository("user-xleo", "DNN-Accelerator", "966a725")
JAMES = Repository("james397520", "Pytorch-Quantization-Example", "46ab490")
CIFAR = Repository("kuangliu", "pytorch-cifar", "49b7aa9")
DLRM = Repository("facebookresearch", "dlrm", "090956e")
LIGHTNING = Repository("Lightning-AI", "pytorch-lightning", "7f0c3436cd")
ACCELERATE = Repository("huggingface", "accelerate", "16cb6eb8")
RUN_CLM = Repository("chase06harmon", "6.7960_GPT2", "3f6056b")
"""Holds a copy of transformers' examples/pytorch/language-modeling/run_clm.py."""
OPACUS = Repository("pytorch", "opacus", "4d0ebc84")
GPYTORCH = Repository("cornellius-gp", "gpytorch", "7c4ec80f")
X_TRANSFORMERS = Repository("lucidrains", "x-transformers", "9252ed7")

FEW_EPOCHS: Edits = ((r"range\((\d{3,})\)", "range(12)"),)
GYM: Edits = ((r"^import gym$", "import gymnasium as gym"),)
FEW_EPISODES: Edits = (*GYM, (r"range\((10000|3000)\)", "range(25)"))
GAN_ARGUMENTS = "--n_epochs 1 --batch_size 16 --sample_interval 4"


WIKI_TEXT: Edits = ((r"max_epochs=20", "max_epochs=1"), (r"n - 4000, 2000, 2000", "n - 8, 4, 4"))
PLANTED: Edits = ((r"from torch_geometric.datasets import Planetoid", "from planted import Planetoid"),)

SCRIPTS: tuple[Script, ...] = (
    Script("vision", EXAMPLES, "mnist/main.py", "--epochs 1 --batch-size 32 --log-interval 1 --no-accel"),
    Script("vision, recurrent", EXAMPLES, "mnist_rnn/main.py", "--epochs 1 --batch-size 32 --log-interval 1"),
    Script("vision, forward-forward", EXAMPLES, "mnist_forward_forward/main.py", "--epochs 3 --train_size 64 --test_size 64 --no_accel"),
    Script("vision, autoencoder", EXAMPLES, "vae/main.py", "--epochs 1 --batch-size 32 --log-interval 1 --no-accel"),
    Script("vision, hogwild processes", EXAMPLES, "mnist_hogwild/main.py", "--epochs 1 --batch-size 64 --num-processes 2", trains=False),
    Script("GAN", EXAMPLES, "dcgan/main.py", "--dataset fake --batchSize 16 --ngf 8 --ndf 8 --niter 1 --workers 0 --manualSeed 1"),
    Script("regression", EXAMPLES, "regression/main.py"),
    Script("reinforcement learning", EXAMPLES, "reinforcement_learning/reinforce.py", edits=((r"count\(1\)", "range(1, 13)"),)),
    Script("reinforcement learning", EXAMPLES, "reinforcement_learning/actor_critic.py", edits=((r"count\(1\)", "range(1, 13)"),)),
    Script(
        "time series, LBFGS",
        EXAMPLES,
        "time_sequence_prediction/train.py",
        "--steps 1",
        edits=((r"'traindata.pt'", "'traindata.pt', weights_only=False"),),
        prepare=data.sine_waves,
    ),
    Script("language", EXAMPLES, "word_language_model/main.py", "--data text --epochs 1 --emsize 32 --nhid 32 --log-interval 5", prepare=data.text),
    Script(
        "language, transformer",
        EXAMPLES,
        "word_language_model/main.py",
        "--data text --epochs 1 --emsize 32 --nhid 32 --model Transformer --nhead 2",
        prepare=data.text,
        name="word_language_model/main.py (Transformer)",
    ),
    Script(
        "language, GPT",
        MINGPT,
        "projects/adder/adder.py",
        "--trainer.max_iters=12 --trainer.num_workers=0 --trainer.batch_size=16 --data.ndigit=1",
        search=("",),
    ),
    Script(
        "language, GPT",
        NANOGPT,
        "train.py",
        "--dataset=tiny --device=cpu --compile=False --eval_iters=2 --eval_interval=6 --log_interval=1 --block_size=16 --batch_size=4"
        " --gradient_accumulation_steps=2 --n_layer=2 --n_head=2 --n_embd=32 --max_iters=12 --lr_decay_iters=12 --dtype=bfloat16",
        prepare=data.tokens,
    ),
    Script(
        "language, GPT, torch.compile",
        NANOGPT,
        "train.py",
        "--dataset=tiny --device=cpu --compile=True --eval_iters=1 --eval_interval=4 --log_interval=1 --block_size=16 --batch_size=4"
        " --gradient_accumulation_steps=2 --n_layer=1 --n_head=2 --n_embd=16 --max_iters=4 --lr_decay_iters=4 --dtype=float32",
        prepare=data.tokens,
        name="train.py (compiled)",
    ),
    Script(
        "language, characters",
        MAKEMORE,
        "makemore.py",
        "-i names.txt --max-steps 12 --n-layer 2 --n-embd 16 --n-embd2 16 --device cpu --num-workers 0 --batch-size 8",
        prepare=data.names,
    ),
    *(
        Script("language", NLP, path, edits=FEW_EPOCHS)
        for path in (
            "1-1.NNLM/NNLM.py",
            "2-1.TextCNN/TextCNN.py",
            "3-1.TextRNN/TextRNN.py",
            "3-2.TextLSTM/TextLSTM.py",
            "3-3.Bi-LSTM/Bi-LSTM.py",
            "4-1.Seq2Seq/Seq2Seq.py",
            "4-2.Seq2Seq(Attention)/Seq2Seq(Attention).py",
            "4-3.Bi-LSTM(Attention)/Bi-LSTM(Attention).py",
        )
    ),
    Script("language, transformer", NLP, "5-1.Transformer/Transformer.py", edits=((r"range\(20\)", "range(2)"), (r"n_layers = 6", "n_layers = 1"))),
    Script("language, BERT", NLP, "5-2.BERT/BERT.py", edits=((r"range\(100\)", "range(3)"), (r"n_layers = 6", "n_layers = 1"))),
    Script(
        "language, transformer",
        X_TRANSFORMERS,
        "train_copy.py",
        edits=((r"int\(1e5\)", "3"), (r"dim = 128", "dim = 32"), (r"depth = 3", "depth = 1")),
        search=("",),
        differs=r"training:.*",
    ),
    Script("hand-written autograd", JOHNSON, "autograd/two_layer_net_autograd.py", edits=FEW_EPOCHS),
    Script("hand-written autograd", JOHNSON, "autograd/two_layer_net_custom_function.py", edits=FEW_EPOCHS),
    Script("dynamic network", JOHNSON, "nn/dynamic_net.py", edits=FEW_EPOCHS),
    Script("regression, several optimizers", MORVAN, "tutorial-contents/306_optimizer.py", edits=((r"EPOCH = 12", "EPOCH = 1"),)),
    Script("regression, dropout", MORVAN, "tutorial-contents/503_dropout.py", edits=FEW_EPOCHS),
    Script("time series", MORVAN, "tutorial-contents/403_RNN_regressor.py", edits=FEW_EPOCHS),
    Script("GAN", MORVAN, "tutorial-contents/406_GAN.py", edits=FEW_EPOCHS),
    Script("vision", YUNJEY, "tutorials/02-intermediate/convolutional_neural_network/main.py", edits=((r"num_epochs = 5", "num_epochs = 1"),)),
    Script(
        "vision, ResNet",
        CIFAR,
        "main.py",
        "--lr 0.01",
        edits=(
            (r"net = SimpleDLA\(\)", "net = LeNet()"),
            (r"range\(start_epoch, start_epoch\+200\)", "range(1)"),
            (r"num_workers=2", "num_workers=0"),
            (r"^from utils import progress_bar", "progress_bar = print"),
        ),
    ),
    Script(
        "quantisation-aware",
        ACCELERATOR,
        "01_quantization/train.py",
        "--epochs 1 --qat_epochs 1 --batch_size 32",
        edits=((r"prepare_qat\(model,", "prepare_qat(model.train(),"),),
    ),
    Script(
        "quantisation-aware, fused, TorchScript",
        JAMES,
        "QAT/mnist_8bit.py",
        edits=((r"'../model/float/checkpoint_10.pth'", "''"),),
        prepare=data.folder_of_models,
    ),
    Script("GAN", GANS, "implementations/gan/gan.py", GAN_ARGUMENTS),
    Script("GAN, Wasserstein", GANS, "implementations/wgan/wgan.py", GAN_ARGUMENTS),
    Script("GAN, double backward", GANS, "implementations/wgan_gp/wgan_gp.py", GAN_ARGUMENTS),
    Script("GAN, classes", GANS, "implementations/acgan/acgan.py", GAN_ARGUMENTS),
    Script("GAN, in one dimension", DEVNAG, "gan_pytorch.py", edits=((r"num_epochs = 5000", "num_epochs = 2"),)),
    Script("reinforcement learning", MINIMAL_RL, "REINFORCE.py", edits=FEW_EPISODES),
    Script("reinforcement learning", MINIMAL_RL, "actor_critic.py", edits=FEW_EPISODES),
    Script("reinforcement learning", MINIMAL_RL, "ppo.py", edits=(*GYM, (r"range\(10000\)", "range(3)"))),
    Script("reinforcement learning", MINIMAL_RL, "dqn.py", edits=(*GYM, (r"range\(10000\)", "range(12)"), (r"memory.size\(\)>2000", "memory.size()>100"))),
    Script("reinforcement learning", CLEANRL, "cleanrl/ppo.py", "--total-timesteps 256 --num-steps 32 --num-envs 2 --no-cuda", search=("",), differs="SPS: .*"),
    Script(
        "reinforcement learning",
        CLEANRL,
        "cleanrl/dqn.py",
        "--total-timesteps 150 --learning-starts 60 --train-frequency 5 --no-cuda",
        search=("",),
        differs="SPS: .*",
    ),
    Script("differential equation", DIFFEQ, "examples/ode_demo.py", "--niters 6 --test_freq 3 --data_size 100 --adjoint", search=("",)),
    Script("differential equation, variational", DIFFEQ, "examples/latent_ode.py", "--niters 3", search=("",)),
    Script(
        "physics-informed",
        DEEPXDE,
        "examples/pinn_forward/Poisson_Dirichlet_1d.py",
        edits=(
            (r"iterations=10000", "iterations=30"),
            (r"tf\.sin", "__import__('torch').sin"),
        ),
    ),
    Script("physics-informed", DEEPXDE, "examples/pinn_forward/ode_system.py", edits=((r"iterations=20000", "iterations=30"),)),
    Script(
        "diffusion model",
        DIFFUSION,
        "ddpm.py",
        "--dataset moons --num_epochs 1 --eval_batch_size 8 --num_timesteps 5",
        edits=((r"get_dataset\(config.dataset\)", "get_dataset(config.dataset, 512)"),),
    ),
    Script("graph network", PYGCN, "pygcn/train.py", "--epochs 8 --no-cuda", prepare=data.cora, search=("",)),
    Script("graph network, attention", PYGAT, "train.py", "--epochs 4 --no-cuda", prepare=data.cora_below),
    Script("graph network", GEOMETRIC, "examples/gcn.py", "--epochs 8", edits=PLANTED),
    Script("graph network, attention", GEOMETRIC, "examples/gat.py", "--epochs 4", edits=PLANTED),
    Script("recommendation", DLRM, "dlrm_s_pytorch.py", "--mini-batch-size=4 --data-size=48 --print-freq=2 --debug-mode"),
    Script("Lightning", LIGHTNING, "examples/pytorch/bug_report/bug_report_model.py"),
    Script("Lightning, transformer", LIGHTNING, "examples/pytorch/basics/transformer.py", edits=WIKI_TEXT, prepare=data.wiki_text),
    Script("Lightning, Fabric", LIGHTNING, "examples/fabric/language_model/train.py", edits=WIKI_TEXT, prepare=data.wiki_text),
    Script(
        "Lightning, reinforcement learning",
        LIGHTNING,
        "examples/pytorch/domain_templates/reinforce_learn_Qnet.py",
        edits=(
            *GYM,
            (r"self.env.reset\(\)", "self.env.reset()[0]"),
            (r"reward, done, _ =", "reward, done, _, _ ="),
            (r"val_check_interval=100", "max_epochs=1, limit_train_batches=8"),
        ),
    ),
    Script("private gradients, per-sample hooks", OPACUS, "examples/mnist.py", "--device cpu -n 1 -b 32 --data-root ."),
    Script("Accelerate, gradient accumulation", ACCELERATE, "src/accelerate/test_utils/scripts/test_sync.py"),
    Script(
        "Hugging Face Trainer",
        RUN_CLM,
        "run_clm.py",
        "--model_type gpt2 --config_overrides n_embd=32,n_head=2,n_layer=1,vocab_size=64,n_positions=64 --tokenizer_name tokenizer"
        " --train_file text/train.txt --do_train --output_dir out --max_steps 5 --block_size 16 --per_device_train_batch_size 4"
        " --logging_steps 1 --report_to none --use_cpu --save_strategy no",
        edits=(
            (r" and not training_args.overwrite_output_dir", ""),
            (r"^require_version.*$", ""),
            (r"^import evaluate$", ""),
            (r", send_example_telemetry", ""),
            (r"^    send_example_telemetry.*$", ""),
        ),
        prepare=data.text_and_tokenizer,
        differs=r"train_runtime.*|train_\w*_per_second.*|'?\w*per_second'?: [\d.']+|timestamp.*",
    ),
    Script("Gaussian process", GPYTORCH, "test/examples/test_simple_gp_regression.py", "-k optimization -k fantasy -k pred_var"),
)
