"""A program with the published SDK, run by the Automation API through a stack's whole life.

What came of each step is printed as one line of JSON.
"""

import json
import os

import pulumi
import pulumi_random as random
from pulumi import automation


def program() -> None:
    keepers = {"version": os.environ.get("PROGRAM_VERSION", "1")}
    string = random.RandomString("string", length=12, special=False, keepers=keepers)
    password = random.RandomPassword("password", length=16, override_special="_%@")
    data = random.RandomBytes("bytes", length=8)
    identifier = random.RandomId("id", byte_length=8, prefix="p-", keepers={"of": string.result})
    integer = random.RandomInteger("integer", min=1, max=50000, seed="my-seed")
    pet = random.RandomPet("pet", keepers=keepers)
    order = random.RandomShuffle("order", inputs=["a", "b", "c"], result_count=8, seed="x")
    uuid = random.RandomUuid("uuid")
    pulumi.export("string", string.result)
    pulumi.export("password", password.result)
    pulumi.export("hash", password.bcrypt_hash)
    pulumi.export("base64", data.base64)
    pulumi.export("hex", identifier.hex)
    pulumi.export("integer", integer.result)
    pulumi.export("numeric", string.numeric)
    pulumi.export("pet", pulumi.Output.concat("hello ", pet.id))
    pulumi.export("order", order.results)
    pulumi.export("uuid", uuid.result)


def said(step, changes, outputs=None) -> None:
    changes = {getattr(operation, "value", operation): count for operation, count in (changes or {}).items()}
    line = {"step": step, "changes": changes}
    if outputs is not None:
        line["outputs"] = {name: {"value": output.value, "secret": output.secret} for name, output in outputs.items()}
    print(json.dumps(line), flush=True)


def live() -> None:
    stack = automation.create_or_select_stack(stack_name="dev", project_name="published", program=program)
    said("preview", stack.preview().change_summary)
    up = stack.up()
    said("up", up.summary.resource_changes, up.outputs)
    again = stack.up()
    said("again", again.summary.resource_changes, again.outputs)
    os.environ["PROGRAM_VERSION"] = "2"
    changed = stack.up()
    said("changed", changed.summary.resource_changes, changed.outputs)
    said("refresh", stack.refresh().summary.resource_changes)
    said("destroy", stack.destroy().summary.resource_changes)


live()
