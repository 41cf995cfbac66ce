"""protoc as a judge of many small schemas: one JSON object a line, {path: text}, gives a line {"set": base64 or null, "words": text}.

The first line holds files that all the others may import. Of each other line, "test.proto" is compiled.
"""

import base64
import json
import os
import sys
import tempfile

from grpc_tools import protoc

FOLDER = tempfile.TemporaryDirectory()
BESIDE = os.path.join(FOLDER.name, "beside")
OWN = os.path.join(FOLDER.name, "own")
SET = os.path.join(FOLDER.name, "set")
ARGUMENTS = [
    "protoc",
    "-I" + OWN,
    "-I" + BESIDE,
    "-I" + os.path.join(os.path.dirname(protoc.__file__), "_proto"),
    "--experimental_editions",
    "--include_imports",
    "--descriptor_set_out=" + SET,
    "test.proto",
]

# What protoc has to say, it says to this descriptor.
words = open(os.path.join(FOLDER.name, "words"), "w+b")
os.dup2(words.fileno(), 2)


def write(folder, files):
    paths = [os.path.join(folder, path) for path in files]
    for path, text in zip(paths, files.values()):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return paths


write(BESIDE, json.loads(sys.stdin.readline()))
print("ready", flush=True)
for line in sys.stdin:
    paths = write(OWN, json.loads(line))
    words.seek(0)
    words.truncate()
    accepted = protoc.main(ARGUMENTS) == 0
    words.seek(0)
    said = words.read().decode("utf-8", "replace").replace(OWN + os.sep, "").replace(BESIDE + os.sep, "")
    made = None
    if accepted:
        with open(SET, "rb") as file:
            made = base64.b64encode(file.read()).decode()
    for path in paths:
        os.remove(path)
    print(json.dumps({"set": made, "words": said}), flush=True)
