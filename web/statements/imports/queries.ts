import type { ImportRequest } from '#contract/statements.ts'
import { api, unwrap, withIdempotencyKey, withProgress } from '#web/lib/api.ts'

/** `onSent` gets the sent fraction of the file, 0 to 1. */
export const previewImport = (
  content: ImportRequest,
  { onSent, signal }: { onSent?: (fraction: number) => void; signal: AbortSignal },
) => unwrap(api.imports.preview.$post({ json: content }, withProgress(onSent, signal)))

export const importFile = (content: ImportRequest, key: string, onSent: (fraction: number) => void) =>
  unwrap(api.imports.$post({ json: content }, { ...withIdempotencyKey(key), ...withProgress(onSent) }))

export const removeImport = (id: string) => unwrap(api.imports[':id'].$delete({ param: { id } }))
