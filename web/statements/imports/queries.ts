import type { ImportRequest } from '#contract/statements.ts'
import { api, unwrap, withIdempotencyKey } from '#web/lib/api.ts'

export const previewImport = (content: ImportRequest) => unwrap(api.imports.preview.$post({ json: content }))

export const importFile = (content: ImportRequest, key: string) =>
  unwrap(api.imports.$post({ json: content }, withIdempotencyKey(key)))

export const removeImport = (id: string) => unwrap(api.imports[':id'].$delete({ param: { id } }))
