"""Generates the contracts' code while the wheel is built. The contracts are those of the checkout, one directory up."""

import tempfile
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Its file is a package of its own, which a program may have installed in another version.
VALIDATE = "buf/validate/validate.proto"


def run(*args: object) -> None:
    if protoc.main(["protoc", *map(str, args)]) != 0:
        raise RuntimeError("protoc failed")


class ContractsHook(BuildHookInterface):
    def initialize(self, version, build_data):
        contracts = Path(self.root).parent
        names = sorted(str(path.relative_to(contracts)) for path in contracts.glob("florin/**/*.proto"))
        self.out = tempfile.TemporaryDirectory()
        described = Path(self.out.name, "contracts.binpb")
        common = Path(protoc.__file__).parent / "_proto"
        run(f"-I{contracts}", f"-I{common}", "--include_imports", "--include_source_info", f"--descriptor_set_out={described}", *names)

        files = FileDescriptorSet.FromString(described.read_bytes())
        # The platform's rules about fields and methods are options, which clients do not need: without them nothing refers to their definitions.
        files.DiscardUnknownFields()
        for file in files.file:
            file.dependency[:] = [name for name in file.dependency if name != VALIDATE]
        described.write_bytes(files.SerializeToString())

        code = Path(self.out.name, "code")
        code.mkdir()
        run(f"--descriptor_set_in={described}", *(f"--{kind}_out={code}" for kind in ("python", "pyi", "grpc_python")), *names)
        build_data["force_include"][str(code / "florin")] = "florin"

    def finalize(self, version, build_data, artifact_path):
        self.out.cleanup()
