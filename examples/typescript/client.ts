const url = process.env.GRAPHMEM_URL ?? "http://127.0.0.1:8080";
const key = process.env.GRAPHMEM_KEY;

async function graphmem<Data>(query: string, variables: object): Promise<Data> {
  const answer = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await answer.json()) as { data: Data; errors?: { message: string }[] };
  if (errors?.length) throw new Error(errors.map(({ message }) => message).join("; "));
  return data;
}

type Found = { search: { hits: { depth: number; node: { title: string; content: string } }[] } };
const remember = "mutation ($nodes: [KnowledgeInput!]) { remember(nodes: $nodes) { created unchanged } }";
const search = "query ($input: SearchInput!) { search(input: $input) { hits { depth node { title content } } } }";

const refunds = { id: "refunds", title: "Refunds", content: "A refund is paid within 14 days.", connections: ["disputes"] };
const disputes = { id: "disputes", title: "Disputes", content: "The finance team settles disputes." };
await graphmem(remember, { nodes: [refunds, disputes] });
const found = await graphmem<Found>(search, { input: { query: "When is a refund paid?", topK: 1 } });
for (const { depth, node } of found.search.hits) console.log(depth, node.title, "-", node.content);
