"""Every knob, once. Each is read from `GRAPHMEM_<NAME>`; `docs/settings.md` lists them (a test compares)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from platformdirs import user_cache_path
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Read once, at the top of a command; nothing below reads the environment."""

    model_config = SettingsConfigDict(env_prefix="GRAPHMEM_", frozen=True, extra="ignore", env_ignore_empty=True)

    # Neo4j
    neo4j_uri: str | None = Field(None, description="Neo4j to use; unset: the managed local server.")
    neo4j_user: str = Field("neo4j", description="User name at `neo4j_uri`.")
    neo4j_password: SecretStr | None = Field(None, description="Password at `neo4j_uri`; unset: no authentication.")
    neo4j_database: str = Field("neo4j", description="Database name.")
    neo4j_ca_file: Path | None = Field(None, description="PEM file of the authority that signed Neo4j's certificate.")
    neo4j_pool: int = Field(50, ge=1, le=1000, description="Connections kept to Neo4j.")
    statement_timeout: float = Field(30.0, gt=0, le=600, description="Seconds a read statement may run.")
    write_timeout: float = Field(60.0, gt=0, le=3600, description="Seconds a write transaction may run.")
    retry_seconds: float = Field(
        30.0,
        ge=0,
        le=600,
        description="Seconds for which an outage, or a write that failed for now, is waited out.",
    )
    slow_statement_ms: float = Field(500.0, gt=0, description="A statement slower than this is logged.")

    # The managed server
    home: Path = Field(Path(".graphmem"), description="Folder with the managed server's data, log and password.")
    cache: Path = Field(
        default_factory=lambda: user_cache_path("graphmem"),
        description="Folder for downloads and built models, shared by all projects.",
    )
    bolt_port: int = Field(7702, ge=0, le=65535, description="Bolt port of the managed server; 0: any free one.")
    http_port: int = Field(7472, ge=0, le=65535, description="Port of Neo4j Browser on the managed server; 0: any.")
    java_home: Path | None = Field(None, description="A Java 21 or 25 for the managed server; unset: the packaged one.")
    heap_mb: int = Field(512, ge=256, description="Java heap of the managed server, MiB.")
    page_cache_mb: int = Field(128, ge=16, description="Page cache of the managed server, MiB.")
    browser: bool = Field(True, description="Serve Neo4j Browser from the managed server.")
    fast_start: Literal["build", "use", "off"] = Field(
        "build", description="Java's ahead-of-time cache: `build` it after a first start, only `use` one, or `off`."
    )
    short_lived: bool = Field(
        False,
        description="The managed server lives some minutes, as in tests: it compiles less, keeps its plans, and "
        "makes none before they are needed.",
    )
    start_timeout: float = Field(180.0, gt=0, description="Seconds to wait for the managed server.")

    # Embedding
    embedding_model: str = Field(
        "all-MiniLM-L6-v2",
        description="Any sentence-transformers model; the default is packaged and works offline; `none`: no vectors.",
    )
    embedding_runtime: Literal["auto", "onnx", "torch"] = Field(
        "auto", description="`onnx`: the same network, compiled; `torch`: the reference; `auto`: onnx where it agrees."
    )
    embedding_batch: int = Field(64, ge=1, le=1024, description="Texts embedded in one call.")
    embedding_cache: int = Field(4096, ge=0, description="Query vectors kept in memory.")
    embedding_timeout: float = Field(10.0, gt=0, description="Seconds a query waits for its vector.")

    vectors_poll_seconds: float = Field(
        2.0, gt=0, le=60, description="Seconds after which a process notices that other vectors are in use."
    )

    # The service
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8080, ge=0, le=65535, description="Port to listen on.")
    open_access: bool = Field(False, description="No key needed; refused unless `host` is a loopback address.")
    default_tenant: str = Field("default", description="Tenant of the first key.")
    key_cache_seconds: float = Field(3.0, ge=0, le=5, description="Seconds a credential look-up is trusted.")
    max_body_bytes: int = Field(16 * 1024 * 1024, ge=1024, description="Largest request body.")
    allowed_origins: tuple[str, ...] = Field((), description="Web origins that browsers may call from (JSON list).")
    introspection: bool = Field(True, description="Answer GraphQL introspection and serve GraphiQL.")
    worker: bool = Field(True, description="Run the job worker inside `serve`.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least severe line logged.")

    # GraphQL limits
    max_query_depth: int = Field(12, ge=1, description="Nesting of a GraphQL query.")
    max_query_aliases: int = Field(30, ge=1, description="Aliases in a GraphQL query.")
    max_query_tokens: int = Field(4000, ge=100, description="Tokens of a GraphQL query.")
    max_query_cost: int = Field(50_000, ge=100, description="Cost of a query: fields × the lists they stand in.")
    max_page: int = Field(200, ge=1, description="Largest `first`.")
    max_top_k: int = Field(100, ge=1, description="Largest `topK`.")
    max_hits: int = Field(200, ge=1, description="Largest `limit` of a search or traversal.")
    max_depth: int = Field(4, ge=1, le=8, description="Largest `maxDepth` of a search or traversal.")
    max_nodes: int = Field(1000, ge=1, description="Nodes in one `remember`.")
    max_edges: int = Field(5000, ge=1, description="Edges in one call.")
    max_staged: int = Field(1000, ge=1, description="Messages staged in one turn.")
    max_messages: int = Field(100, ge=1, le=1000, description="Messages in one call.")
    memory_tokens: int = Field(2000, ge=1, description="Tokens from which on working memory warns of its size.")
    max_text: int = Field(200_000, ge=1000, description="Characters in one text.")

    # Retrieval
    candidates: int = Field(100, ge=10, le=1000, description="Candidates taken from each index.")
    dense_weight: float = Field(0.5, ge=0, le=1, description="Weight of the vector score; the text score has the rest.")
    decay: float = Field(0.8, ge=0, le=1, description="λ: what each explicit hop keeps of a seed's score.")
    mention_weight: float = Field(0.8, ge=0, le=1, description="What a title mention keeps of a seed's score.")
    entity_weight: float = Field(0.8, ge=0, le=1, description="What an entity in common keeps of a seed's score.")
    scan_cap: int = Field(2000, ge=10, description="Edges looked at per node while expanding.")
    hub_sample: int = Field(250, ge=10, description="Edges of a type looked at, of a node with more than `scan_cap`.")
    exact_cap: int = Field(
        2000, ge=100, description="Nodes compared one by one where a filter names tags, metadata, a band or times."
    )
    fan_cap: int = Field(25, ge=1, description="Edges kept per node while expanding.")
    level_cap: int = Field(200, ge=1, description="Nodes kept per level while expanding.")

    # Jobs
    lease_seconds: float = Field(60.0, gt=0, description="How long a claimed job belongs to its worker.")
    job_attempts: int = Field(5, ge=1, description="Attempts before a job is failed for good.")
    job_poll_seconds: float = Field(1.0, gt=0, description="Pause between looks at an empty queue.")
    job_stop_seconds: float = Field(10.0, ge=0, description="How long a stopping worker waits for jobs it has begun.")
    job_keep_days: float = Field(7.0, ge=0, description="Days for which done jobs are kept.")
