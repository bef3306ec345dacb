"""A program with SDKs that the CLI generated, run by the Automation API through a stack's whole life.

What came of each step is printed as one line of JSON.
"""

import json
import os

import pulumi
import pulumi_extending as extending
import pulumi_extra as extra
import pulumi_notes as notes
from pulumi import automation


def program() -> None:
    greeting = extra.Greeting("greeting", name=os.environ.get("PROGRAM_NAME", "Ada"))
    silence = extending.Silence("silence", name="Eve")
    page = notes.Page(
        "page", notebook="diary", heading=notes.HeadingArgs(text="monday", level=1), remark="hunter2"
    )
    pulumi.export("text", greeting.text)
    pulumi.export("silence", silence.name)
    pulumi.export("said", extra.say_output(name=greeting.name).apply(lambda said: said.text))
    pulumi.export("revision", page.revision)
    pulumi.export("remark", page.remark)
    pulumi.export("level", page.heading.level)


def said(step, changes, outputs=None) -> None:
    changes = {getattr(operation, "value", operation): count for operation, count in (changes or {}).items()}
    line = {"step": step, "changes": changes}
    if outputs is not None:
        line["outputs"] = {name: {"value": output.value, "secret": output.secret} for name, output in outputs.items()}
    print(json.dumps(line), flush=True)


def live() -> None:
    stack = automation.create_or_select_stack(stack_name="dev", project_name="generated", program=program)
    said("preview", stack.preview().change_summary)
    up = stack.up()
    said("up", up.summary.resource_changes, up.outputs)
    said("again", stack.up().summary.resource_changes)
    os.environ["PROGRAM_NAME"] = "Grace"
    changed = stack.up()
    said("changed", changed.summary.resource_changes, changed.outputs)
    said("destroy", stack.destroy().summary.resource_changes)


live()
