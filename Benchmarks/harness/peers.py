"""Libraries that verify the same tokens: each in a process of its own, which ends by itself."""
import base64
import filecmp
import os
import shutil
import subprocess
import textwrap

HERE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "peers")
ALGORITHMS = ("ES256", "EdDSA", "RS256")


def commands(cache, files, note):
    """A command for each peer and algorithm, that takes a last argument: milliseconds. Those that are not here are
    left out, and the reason is noted."""
    return {**python_peers(cache, files, note), **libjwt(files, note)}


def python_peers(cache, files, note):
    environment = os.path.join(cache, "venv-bench")
    python, wanted = os.path.join(environment, "bin", "python"), os.path.join(HERE, "requirements.txt")
    installed = os.path.join(environment, "installed.txt")
    if not (os.path.exists(installed) and filecmp.cmp(wanted, installed, shallow=False)):
        try:
            subprocess.run(["python3", "-m", "venv", environment], check=True, capture_output=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", wanted],
                           check=True, capture_output=True, timeout=300)
        except (subprocess.SubprocessError, OSError) as error:
            note(f"PyJWT and joserfc are left out: they could not be installed ({error})")
            return {}
        shutil.copy(wanted, installed)
    return {
        f"{peer} {algorithm}": [python, "-B", os.path.join(HERE, "verify.py"), peer, algorithm,
                                os.path.join(files, "jwks.json"), os.path.join(files, algorithm + ".tokens")]
        for peer in ("pyjwt", "joserfc") for algorithm in ALGORITHMS}


def libjwt(files, note):
    compiler = shutil.which("cc") or shutil.which("clang")
    program = os.path.join(files, "libjwt")
    built = compiler and subprocess.run(
        [compiler, "-O2", "-o", program, os.path.join(HERE, "libjwt.c"), "-ljwt"], capture_output=True, text=True)
    if not built or built.returncode != 0:
        note("libjwt is left out: apt-get install gcc libjwt-dev libjansson-dev")
        return {}
    found = {}
    for algorithm in ("ES256", "RS256"):
        path = os.path.join(files, algorithm + ".pem")
        with open(os.path.join(files, algorithm + ".der"), "rb") as der, open(path, "w") as pem:
            lines = textwrap.fill(base64.b64encode(der.read()).decode(), 64)
            pem.write(f"-----BEGIN PUBLIC KEY-----\n{lines}\n-----END PUBLIC KEY-----\n")
        found[f"libjwt {algorithm}"] = [program, algorithm, path, os.path.join(files, algorithm + ".jwt")]
    return found
