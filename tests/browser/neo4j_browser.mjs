// Opens Neo4j Browser of the managed server as a person would: logs in, runs Cypher, sees a drawn graph.
//
// NEO4J_BROWSER_URL  its address with the query in the editor, as `graphmem neo4j browser QUERY` prints it
// NEO4J_PASSWORD     the password
// CHROMIUM           the browser, default /usr/bin/chromium
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { chromium } from "playwright-core";

const { NEO4J_BROWSER_URL, NEO4J_PASSWORD, CHROMIUM = "/usr/bin/chromium" } = process.env;
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

before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  // The page asks other hosts for fonts and statistics, which are not to be had.
  await page.route((url) => !["127.0.0.1", "localhost"].includes(url.hostname), (route) => route.abort());
});

after(() => browser?.close());

test("the graph is drawn after logging in", async () => {
  await page.goto(NEO4J_BROWSER_URL, { waitUntil: "domcontentloaded" });
  const password = page.locator('input[type="password"]').first();
  await password.waitFor({ timeout: 60_000 });
  // The form is drawn anew after its own first attempt to connect, and would drop what was typed.
  await page.waitForTimeout(3_000);
  await password.fill(NEO4J_PASSWORD);
  await password.press("Enter");
  await page.getByText("You are connected as user").first().waitFor({ timeout: 60_000 });
  await page.locator('[data-testid="editor-Run"]').first().click();
  await page.locator("svg circle").first().waitFor({ timeout: 60_000 });
  assert.ok((await page.locator("svg circle").count()) >= 2);
});
