import { apiFetch, refusalOf } from '#web/lib/api.ts'

/** Fetches a file from the API. Throws Refusal. */
export async function fetchFile(path: string, signal: AbortSignal): Promise<Blob> {
  const response = await apiFetch(path, { signal })
  if (!response.ok) throw await refusalOf(response)
  return response.blob()
}
