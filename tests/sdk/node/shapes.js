// A program whose properties are composites, with an SDK that the CLI generated, run by the Automation API. What came of each step
// is printed as one line of JSON.
"use strict";

const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const shapes = require("@pulumi/shapes");

async function program() {
    const polygon = new shapes.Polygon("polygon", {
        corners: [[0, 1], [4, 0], [2, 3]],
        line: ["red", 2],
        label: { text: "a", at: [1, 1] },
        places: { first: [1, 2] },
    });
    // Elements of tuples that aren't known in a preview.
    const drawing = new shapes.Drawing("drawing", {
        size: polygon.bounds[1][0],
        line: [polygon.summary[0], 3],
    });
    const measured = await shapes.measure([[0, 0], [3, 4]], 2);
    const [asks, preview] = await shapes.whetherAPreviewAsks();
    // The result of a plain method, also in a preview.
    const [count, name] = await drawing.corners({ name: "all" });
    console.log(JSON.stringify({ step: "asked", preview: measured.preview, asks: `${asks}: ${preview}` }));
    return {
        bounds: polygon.bounds,
        summary: polygon.summary,
        end: drawing.end,
        corners: `${count} ${name}`,
        measured: measured.bounds,
    };
}

function said(step, line) {
    console.log(JSON.stringify({ step, ...line }));
}

async function live() {
    const stack = await LocalWorkspace.createOrSelectStack({ stackName: "dev", projectName: "shapes", program });
    said("preview", { changes: (await stack.preview()).changeSummary });
    const up = await stack.up();
    said("up", { changes: up.summary.resourceChanges, outputs: up.outputs });
    said("again", { changes: (await stack.up()).summary.resourceChanges });
    said("destroy", { changes: (await stack.destroy()).summary.resourceChanges });
}

live().catch((error) => {
    console.error(error);
    process.exit(1);
});
