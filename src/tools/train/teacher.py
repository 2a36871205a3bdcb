"""Trains a convolutional network, the teacher, and scores positions with it, on a GPU if there is one.

The teacher is too slow to play. Its scores are the training targets of the engine's network. Positions are read and
written in bulletformat, which `src/tools/datagen/packed.rs` describes. The chapter `measuring` of the manual has an
example.

Needs `pip install jax optax`, or `pip install "jax[cuda13]" optax` for a GPU.
"""

import argparse
import math
import os
import sys
import time
import zipfile

import jax
import jax.numpy as jnp
import numpy as np
import optax

RECORD = 32
# A square is empty or has one of six kinds of pieces of either side.
CODES = 13
# `adoube train` skips positions with an absolute score of 2000 or more.
MAX_SCORE = 1999
# The weights are averaged over about this many steps.
AVERAGED = 500
WARM_UP = 200
# Processors compute faster in float32, GPUs in bfloat16.
FLOAT = jnp.float32 if jax.default_backend() == "cpu" else jnp.bfloat16


def read(paths):
    """Returns the records of all files, as an array of bytes with 32 columns."""
    parts = []
    for path in paths:
        data = np.fromfile(path, np.uint8)
        if len(data) == 0:
            sys.exit(f"{path}: no positions")
        if len(data) % RECORD:
            sys.exit(f"{path}: {len(data)} bytes, expected a multiple of {RECORD}")
        parts.append(data.reshape(-1, RECORD))
    return np.concatenate(parts)


def squares(records):
    """Returns the code of the piece on each square: 0, 1 to 6 for the side to move, 7 to 12 for the opponent.

    The board is mirrored if the king of the side to move is on one of the files e to h.
    """
    occupied = (records[:, :8, None] >> jnp.arange(8, dtype=jnp.uint8) & 1).reshape(-1, 64)
    nibbles = jnp.stack([records[:, 8:24] & 15, records[:, 8:24] >> 4], -1).reshape(-1, 32)
    # The pieces are stored in the order of their squares.
    place = jnp.clip(jnp.cumsum(occupied, 1, dtype=jnp.int32) - 1, 0, 31)
    pieces = jnp.take_along_axis(nibbles, place, 1)
    codes = jnp.where(occupied == 1, 1 + (pieces & 7) + 6 * (pieces >> 3), 0).reshape(-1, 8, 8)
    mirrored = records[:, 27] % 8 >= 4
    return jnp.where(mirrored[:, None, None], codes[:, :, ::-1], codes)


def targets(records, share, logistic):
    """Returns the training targets: weighted means of the result and the expected result according to the score."""
    low, high = records[:, 24].astype(jnp.int32), records[:, 25].astype(jnp.int8).astype(jnp.int32)
    score = (low + 256 * high).astype(jnp.float32)
    return (1 - share) * jax.nn.sigmoid(score / logistic) + share * records[:, 26].astype(jnp.float32) / 2


def initial(key, channels, blocks):
    """Returns random weights. Each block initially leaves its input unchanged."""
    keys = iter(jax.random.split(key, 3 + 2 * blocks))

    def normal(*shape, inputs):
        return jax.random.normal(next(keys), shape) * math.sqrt(2 / inputs)

    weights = {
        "pieces": normal(CODES, channels, inputs=8),
        "places": normal(8, 8, channels, inputs=200),
        "pooled": normal(2 * channels, 256, inputs=2 * channels),
        "pooled bias": jnp.zeros(256),
        "output": jnp.zeros(256),
    }
    for block in range(blocks):
        weights |= {
            f"norm {block}": jnp.ones(channels),
            f"first {block}": normal(3, 3, channels, channels, inputs=9 * channels),
            f"gate {block}": normal(channels, channels, inputs=channels),
            f"second {block}": jnp.zeros((3, 3, channels, channels)),
        }
    return weights


def outputs(weights, records):
    """Returns the output for each record. Its logistic function is the expected result for the side to move."""

    def norm(x, scale):
        x = x.astype(jnp.float32)
        centred = x - x.mean(-1, keepdims=True)
        return centred * jax.lax.rsqrt(jnp.square(centred).mean(-1, keepdims=True) + 1e-5) * scale

    def convolve(x, kernel):
        layout = ("NHWC", "HWIO", "NHWC")
        return jax.lax.conv_general_dilated(
            x.astype(FLOAT), kernel.astype(FLOAT), (1, 1), "SAME", dimension_numbers=layout
        )

    x = weights["pieces"][squares(records)] + weights["places"]
    for block in range(sum(name.startswith("first ") for name in weights)):
        y = jax.nn.relu(convolve(norm(x, weights[f"norm {block}"]), weights[f"first {block}"]))
        # Squeeze and excitation: the gates depend on the means of the channels over the board.
        gate = jax.nn.sigmoid(y.astype(jnp.float32).mean((1, 2)) @ weights[f"gate {block}"])
        x = x + convolve(y, weights[f"second {block}"]).astype(jnp.float32) * gate[:, None, None]
    x = norm(x, 1.0)
    pooled = jnp.concatenate([x.mean((1, 2)), x.max((1, 2))], -1)
    return jax.nn.relu(pooled @ weights["pooled"] + weights["pooled bias"]) @ weights["output"]


def load(path):
    """Returns the weights in a file, and the score at which the expected result is 73%."""
    with np.load(path) as file:
        weights = {name: jnp.asarray(x) for name, x in file.items()}
    return weights, float(weights.pop("logistic"))


def save(path, weights, logistic):
    # A file that is only partly written never replaces the previous one.
    with open(f"{path}.tmp", "wb") as file:
        np.savez(file, logistic=logistic, **weights)
    os.replace(f"{path}.tmp", path)


def train(options):
    records = read(options.files)
    # Neighbouring positions are usually from the same game. Therefore the last positions are held out, not random ones.
    held = max(1, min(len(records) // 20, 50_000))
    if len(records) - held < options.batch:
        sys.exit(f"{len(records)} positions: too few for batches of {options.batch}")
    held_out, records = records[-held:], records[:-held]

    def loss(weights, batch):
        error = jax.nn.sigmoid(outputs(weights, batch)) - targets(batch, options.result_share, options.logistic)
        return jnp.square(error).mean()

    def rate(steps, elapsed):
        """Returns the learning rate after this number of steps and this fraction of the training time."""
        decay = 0.01 + 0.5 * (1 + math.cos(math.pi * elapsed))
        return options.rate * decay * min(1, (steps + 1) / WARM_UP)

    optimiser = optax.chain(optax.clip_by_global_norm(1.0), optax.inject_hyperparams(optax.adamw)(0.0, weight_decay=1e-4))

    @jax.jit
    def step(weights, averaged, share, state, batch):
        error, gradient = jax.value_and_grad(loss)(weights, batch)
        updates, state = optimiser.update(gradient, state, weights)
        weights = optax.apply_updates(weights, updates)
        return weights, optax.incremental_update(weights, averaged, share), state, error

    held_out_loss = jax.jit(loss)
    if options.start:
        weights, logistic = load(options.start)
        if logistic != options.logistic:
            sys.exit(f"{options.start} was trained with --logistic {logistic:g}")
    else:
        weights = initial(jax.random.key(options.seed), options.channels, options.blocks)
    count = sum(x.size for x in weights.values())
    print(f"{len(records)} positions, {held} held out, {count} weights, {jax.devices()[0].platform}", flush=True)
    averaged, state = weights, optimiser.init(weights)
    save(options.out, averaged, options.logistic)
    rng = np.random.default_rng(options.seed)
    start, steps, errors, reported = time.monotonic(), 0, [], 0
    while reported < 10:
        elapsed = (time.monotonic() - start) / (60 * options.minutes)
        if elapsed * 10 >= reported + 1:
            reported += 1
            parts = [held_out[at : at + options.batch] for at in range(0, held, options.batch)]
            test = sum(len(part) * float(held_out_loss(averaged, part)) for part in parts) / held
            training = float(jnp.stack(errors).mean()) if errors else math.nan
            print(f"{10 * reported}%: {steps * options.batch} positions, training {training:.5f}, held out {test:.5f}", flush=True)
            errors = []
            save(options.out, averaged, options.logistic)
            continue
        batch = records[rng.integers(len(records), size=options.batch)]
        state[1].hyperparams["learning_rate"] = jnp.float32(rate(steps, elapsed))
        steps += 1
        weights, averaged, state, error = step(weights, averaged, 1 / min(steps, AVERAGED), state, batch)
        errors.append(error)
        # The next batch is prepared while this step is computed, but no further steps are queued.
        errors[max(0, len(errors) - 2)].block_until_ready()


def score(options):
    weights, logistic = load(options.teacher)
    compute = jax.jit(outputs)
    records = read([options.file])
    for at in range(0, len(records), options.batch):
        batch = records[at : at + options.batch].copy()
        # The last batch is padded, so that the function is compiled only once.
        padded = np.resize(batch, (options.batch, RECORD))
        values = np.asarray(compute(weights, padded))[: len(batch)] * logistic
        scores = np.clip(np.rint(values), -MAX_SCORE, MAX_SCORE).astype("<i2")
        batch[:, 24:26] = scores.view(np.uint8).reshape(-1, 2)
        sys.stdout.buffer.write(batch.tobytes())


def positive(kind):
    def parse(text):
        number = kind(text)
        if not 0 < number < math.inf:
            raise ValueError
        return number

    parse.__name__ = f"positive {kind.__name__}"
    return parse


def fraction(text):
    number = float(text)
    if not 0 <= number <= 1:
        raise ValueError
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    number, whole = positive(float), positive(int)
    command = commands.add_parser("train", help="train a teacher, and save it after each tenth of the time")
    command.set_defaults(run=train)
    command.add_argument("files", nargs="+", metavar="FILE", help="scored positions in bulletformat")
    command.add_argument("--out", required=True, metavar="TEACHER", help="write the teacher to this file")
    command.add_argument("--from", dest="start", metavar="TEACHER", help="start from this teacher; it keeps its size")
    command.add_argument("--minutes", type=number, default=13, help="training time in minutes [%(default)s]")
    command.add_argument("--channels", type=whole, default=128, help="channels per square [%(default)s]")
    command.add_argument("--blocks", type=whole, default=8, help="residual blocks of two convolutions [%(default)s]")
    command.add_argument("--batch", type=whole, default=4096, help="positions per step [%(default)s]")
    command.add_argument("--rate", type=number, default=1e-3, help="highest learning rate [%(default)s]")
    command.add_argument("--result-share", type=fraction, default=0.3, help="weight of the result of the game, from 0 to 1 [%(default)s]")
    command.add_argument("--logistic", type=number, default=120, help="score at which the expected result is 73%% [%(default)s]")
    command.add_argument("--seed", type=int, default=1, help="random seed [%(default)s]")
    command = commands.add_parser("score", help="replace the scores of positions, and write the positions to standard output")
    command.set_defaults(run=score)
    command.add_argument("teacher", metavar="TEACHER", help="a file that `train` has written")
    command.add_argument("file", metavar="FILE", help="positions in bulletformat")
    command.add_argument("--batch", type=whole, default=4096, help="positions per batch [%(default)s]")
    options = parser.parse_args()
    try:
        options.run(options)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(141)
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
        sys.exit(f"teacher.py: {error}")


if __name__ == "__main__":
    main()
