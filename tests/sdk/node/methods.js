// A program that calls methods of a component with an SDK that the CLI generated, run by the Automation API. What came of each step
// is printed as one line of JSON.
"use strict";

const pulumi = require("@pulumi/pulumi");
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { Composer } = require("@pulumi/composer");

let fails = false;

async function program() {
    const whole = new Composer("whole", { act: "children", size: 3, key: "correct-horse" });
    const resized = whole.resize({ by: 2 });
    const outputs = {
        made: whole.made,
        size: resized.apply((result) => result.size),
        urn: resized.apply((result) => result.urn),
        key: whole.resize({ act: "secret" }).apply((result) => result.key),
        // A result that isn't an object.
        label: pulumi.output(whole.describe()).apply((label) => label.toUpperCase()),
    };
    if (fails) {
        outputs.failed = whole.resize({ act: "fail" }).apply((result) => result.size);
    }
    return outputs;
}

function said(step, line) {
    console.log(JSON.stringify({ step, ...line }));
}

async function live() {
    const stack = await LocalWorkspace.createOrSelectStack({ stackName: "dev", projectName: "methods", program });
    said("preview", { changes: (await stack.preview()).changeSummary });
    const up = await stack.up();
    said("up", { changes: up.summary.resourceChanges, outputs: up.outputs });
    said("again", { changes: (await stack.up()).summary.resourceChanges });
    fails = true;
    try {
        await stack.up();
        said("failed", { error: "there was no error" });
    } catch (error) {
        said("failed", { error: error.message });
    }
    said("destroy", { changes: (await stack.destroy()).summary.resourceChanges });
}

live().catch((error) => {
    console.error(error);
    process.exit(1);
});
