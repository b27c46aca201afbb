// Opens GraphiQL of a running service as a person would: enters the key, writes a query, runs it, reads the answer.
//
// GRAPHMEM_URL     where the service is, for example http://127.0.0.1:8080
// GRAPHMEM_KEY     an API key; unset: the service runs open
// GRAPHMEM_QUERY   the query to run, default { __typename }
// GRAPHMEM_EXPECT  what the answer must contain, default "Query"
// CHROMIUM         the browser, default /usr/bin/chromium
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { chromium } from "playwright-core";

const { GRAPHMEM_URL, GRAPHMEM_KEY, CHROMIUM = "/usr/bin/chromium" } = process.env;
const { GRAPHMEM_QUERY = "{ __typename }", GRAPHMEM_EXPECT = '"Query"' } = process.env;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser;
let page;
const complaints = [];
const requests = [];

before(async () => {
  assert.ok(GRAPHMEM_URL, "set GRAPHMEM_URL to the address of a running service");
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.on("console", (line) => line.type() === "error" && !expected(line.text()) && complaints.push(line.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => requests.push(request));
});

after(() => browser?.close());

// Before the key is entered the schema is asked for without one, which the browser notes as an error.
const expected = (complaint) => GRAPHMEM_KEY && complaint.includes("401 (Unauthorized)");
const editor = (name) => page.locator(`.graphiql-${name} .CodeMirror`).first();

async function answered(text) {
  await page.waitForFunction(
    (wanted) => document.querySelector(".result-window .CodeMirror")?.CodeMirror.getValue().includes(wanted),
    text,
    { timeout: 30_000 },
  );
}

test("the landing page leads to GraphiQL", async () => {
  await page.goto(GRAPHMEM_URL);
  await page.getByRole("link", { name: "/graphiql" }).click();
  await editor("query-editor").waitFor();
});

test("the key is kept in this tab only", async () => {
  if (GRAPHMEM_KEY) {
    await page.getByLabel("API key").fill(GRAPHMEM_KEY);
    await page.getByLabel("API key").press("Enter");
    await page.reload();
  }
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await page.getByText("Root Types").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.getItem("graphmem.key")), GRAPHMEM_KEY ?? null);
  const kept = await page.evaluate(() => JSON.stringify(localStorage) + document.cookie);
  assert.ok(!GRAPHMEM_KEY || !kept.includes(GRAPHMEM_KEY));
});

test("a query is run and its answer shown", async () => {
  await editor("query-editor").evaluate((node, query) => node.CodeMirror.setValue(query), GRAPHMEM_QUERY);
  await page.getByRole("button", { name: /^Execute query/ }).click();
  await answered(GRAPHMEM_EXPECT);
  const sent = requests.filter((request) => request.url().endsWith("/graphql")).at(-1);
  assert.equal(sent.headers().authorization, GRAPHMEM_KEY && `Bearer ${GRAPHMEM_KEY}`);
});

test("nothing came from another host, and nothing was blocked or broke", () => {
  const { origin } = new URL(GRAPHMEM_URL);
  const asked = requests.map((request) => request.url());
  const outside = asked.filter((url) => !url.startsWith("data:") && new URL(url).origin !== origin);
  assert.deepEqual(outside, []);
  assert.deepEqual(complaints, []);
});
