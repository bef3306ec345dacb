// A program with hooks around its one resource, run by the Automation API. What came of each step, and which hooks ran, is printed
// as one line of JSON.
"use strict";

const pulumi = require("@pulumi/pulumi");
const { LocalWorkspace } = require("@pulumi/pulumi/automation");

class Ended extends pulumi.CustomResource {
    constructor(name, args, options) {
        super("errors:index:Ended", name, { announce: false, refresh: false, ...args }, options);
    }
}

let heard = [];
let refuses = false;

function hooks() {
    const hook = (name, act = () => {}) =>
        new pulumi.ResourceHook(name, async (args) => {
            heard.push({ hook: name, id: args.id || null });
            act();
        });
    const refuse = () => {
        if (refuses) {
            throw new Error("not today");
        }
    };
    const retry = new pulumi.ErrorHook("failed", async (args) => {
        heard.push({ hook: "failed", errors: args.errors });
        return true;
    });
    return {
        beforeCreate: [hook("before create", refuse)],
        afterCreate: [hook("after create")],
        beforeDelete: [hook("before delete")],
        afterDelete: [hook("after delete")],
        onError: [retry],
    };
}

async function program() {
    new Ended("it", { ending: "later" }, { hooks: hooks() });
}

function said(step, changes) {
    console.log(JSON.stringify({ step, changes, heard }));
    heard = [];
}

async function live() {
    const stack = await LocalWorkspace.createOrSelectStack({ stackName: "dev", projectName: "hooks", program });
    refuses = true;
    try {
        await stack.up();
        said("refused", "there was no refusal");
    } catch (error) {
        const resources = (await stack.exportStack()).deployment.resources || [];
        said("refused", resources.map((resource) => resource.type));
    }
    refuses = false;
    said("up", (await stack.up()).summary.resourceChanges);
    said("destroy", (await stack.destroy({ runProgram: true })).summary.resourceChanges);
}

live().catch((error) => {
    console.error(error);
    process.exit(1);
});
