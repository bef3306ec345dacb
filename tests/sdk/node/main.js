// A program with the published SDK, run by the Automation API through a stack's whole life. What came of each step is printed
// as one line of JSON.
"use strict";

const pulumi = require("@pulumi/pulumi");
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const random = require("@pulumi/random");

async function program() {
    const keepers = { version: process.env.PROGRAM_VERSION || "1" };
    const string = new random.RandomString("string", { length: 12, special: false, keepers });
    const password = new random.RandomPassword("password", { length: 16, overrideSpecial: "_%@" });
    const bytes = new random.RandomBytes("bytes", { length: 8 });
    const id = new random.RandomId("id", { byteLength: 8, prefix: "p-", keepers: { of: string.result } });
    const integer = new random.RandomInteger("integer", { min: 1, max: 50000, seed: "my-seed" });
    const pet = new random.RandomPet("pet", { keepers });
    const order = new random.RandomShuffle("order", { inputs: ["a", "b", "c"], resultCount: 8, seed: "x" });
    const uuid = new random.RandomUuid("uuid");
    return {
        string: string.result,
        password: password.result,
        hash: password.bcryptHash,
        base64: bytes.base64,
        hex: id.hex,
        integer: integer.result,
        numeric: string.numeric,
        pet: pulumi.interpolate`hello ${pet.id}`,
        order: order.results,
        uuid: uuid.result,
    };
}

const said = (step, what) => console.log(JSON.stringify({ step, ...what }));

async function live() {
    const stack = await LocalWorkspace.createOrSelectStack({ stackName: "dev", projectName: "published", program });
    said("preview", { changes: (await stack.preview()).changeSummary });
    const up = await stack.up();
    said("up", { changes: up.summary.resourceChanges, outputs: up.outputs });
    const again = await stack.up();
    said("again", { changes: again.summary.resourceChanges, outputs: again.outputs });
    process.env.PROGRAM_VERSION = "2";
    const changed = await stack.up();
    said("changed", { changes: changed.summary.resourceChanges, outputs: changed.outputs });
    said("refresh", { changes: (await stack.refresh()).summary.resourceChanges });
    said("destroy", { changes: (await stack.destroy()).summary.resourceChanges });
}

live().catch((error) => {
    console.error(error);
    process.exit(1);
});
