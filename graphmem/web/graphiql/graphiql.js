"use strict";

(() => {
  const STORED = "graphmem.key";
  const QUERY = `# The best notes for a question,
# and what is linked to them.
# Control-Enter runs the query,
# Control-Space completes a word.
{
  search(
    input: {
      query: "which database do we use?"
      topK: 5
      maxDepth: 1
      limit: 10
    }
  ) {
    hits {
      score
      depth
      node {
        id
        title
        content
      }
    }
    warnings {
      code
      message
    }
  }
}
`;
  const field = document.getElementById("key");
  const state = document.getElementById("state");
  const root = ReactDOM.createRoot(document.getElementById("graphiql"));
  let mounted = 0;

  async function fetcher(params, options) {
    const key = sessionStorage.getItem(STORED);
    const response = await fetch("graphql", {
      method: "POST",
      credentials: "omit",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        ...(key ? { Authorization: `Bearer ${key}` } : {}),
        ...options?.headers,
      },
      body: JSON.stringify(params),
    });
    state.textContent = response.status === 401 ? "No access: enter a valid key." : "";
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      return { errors: [{ message: `${response.status} ${response.statusText}: ${text.slice(0, 200)}` }] };
    }
  }

  // A new React key mounts the page anew, so that the schema is asked for with the new credential.
  function render() {
    mounted += 1;
    root.render(React.createElement(GraphiQL, { key: mounted, fetcher, defaultQuery: QUERY }));
  }

  field.value = sessionStorage.getItem(STORED) ?? "";
  field.addEventListener("change", () => {
    const key = field.value.trim();
    if (key) {
      sessionStorage.setItem(STORED, key);
    } else {
      sessionStorage.removeItem(STORED);
    }
    render();
  });
  render();
})();
