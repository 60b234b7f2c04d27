/**
 * Keys by which a request reaches beyond the model: other models and hosts, and what a provider stores or runs.
 * They would be dropped like any other unknown key; an engine that sends one needs an answer that says why it cannot work.
 * Compared without case, `_` and `-`, because providers differ in spelling.
 */
const REACHING = new Set(
  [
    // Another model or host.
    'models fallbacks route router provider providers order api_base base_url api_key extra_body extra_headers',
    'custom_llm_provider deployment_id endpoint callback_url webhook proxy',
    // Searches and tools that run at the provider.
    'plugins web_search web_search_options search_parameters search_options enable_search data_sources grounding',
    'mcp_servers mcp_server server_url connector_id container container_id computer_use enable_code_interpreter',
    // Stored at the provider.
    'previous_response_id conversation conversation_id prompt prompt_id background cached_content file_id file_ids',
    'file_url file_uri file_data_uri file_data vector_store_id vector_store_ids item_reference assistant_id thread_id',
    'audio skills',
  ]
    .join(' ')
    .split(' ')
    .map(normalized),
);

export function isReaching(key: string, value: unknown): boolean {
  return REACHING.has(normalized(key)) && !isUnset(value);
}

/** Clients send empty values for what they do not use. An empty object can switch a feature on. */
function isUnset(value: unknown): boolean {
  return value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);
}

function normalized(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, '');
}
