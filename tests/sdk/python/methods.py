"""A program that calls methods of a component, with an SDK that the CLI generated, run by the Automation API.

What came of each step is printed as one line of JSON.
"""

import json
import os

import pulumi
import pulumi_composer as composer
from pulumi import automation


def program() -> None:
    whole = composer.Composer("whole", act="children", size={"width": 3}, key="correct-horse")
    resized = whole.resize(by=2)
    pulumi.export("made", whole.made)
    pulumi.export("size", resized.size)
    pulumi.export("urn", resized.urn)
    pulumi.export("key", whole.resize(act="secret").key)
    if "PROGRAM_FAILS" in os.environ:
        pulumi.export("failed", whole.resize(act="fail").size)


def said(step, changes=None, **line) -> None:
    changes = {getattr(operation, "value", operation): count for operation, count in (changes or {}).items()}
    print(json.dumps({"step": step, "changes": changes, **line}), flush=True)


def live() -> None:
    stack = automation.create_or_select_stack(stack_name="dev", project_name="methods", program=program)
    said("preview", stack.preview().change_summary)
    up = stack.up()
    outputs = {name: {"value": output.value, "secret": output.secret} for name, output in up.outputs.items()}
    said("up", up.summary.resource_changes, outputs=outputs)
    said("again", stack.up().summary.resource_changes)
    os.environ["PROGRAM_FAILS"] = "yes"
    try:
        stack.up()
        said("failed", error="there was no error")
    except Exception as error:  # noqa: BLE001
        said("failed", error=str(error))
    said("destroy", stack.destroy().summary.resource_changes)


live()
