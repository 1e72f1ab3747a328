import { queryOptions } from '@tanstack/react-query'
import type { ImportRequest } from '#contract/statements.ts'
import { api, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

export const importsQuery = queryOptions({
  queryKey: ['imports'],
  meta: KEPT,
  queryFn: ({ signal }) => unwrap(api.imports.$get({}, withSignal(signal))),
})

export const previewImport = (content: ImportRequest) => unwrap(api.imports.preview.$post({ json: content }))

export const importFile = (content: ImportRequest, key: string) =>
  unwrap(api.imports.$post({ json: content }, withIdempotencyKey(key)))

export const removeImport = (id: string) => unwrap(api.imports[':id'].$delete({ param: { id } }))
