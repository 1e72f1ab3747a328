import { queryOptions } from '@tanstack/react-query'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { KEPT } from '#web/lib/kept.ts'

/** The imports of other banks' statements, and what they spent by month. */
export const importsQuery = queryOptions({
  queryKey: ['imports'],
  meta: { ...KEPT, touchedBy: ['change'] },
  queryFn: ({ signal }) => unwrap(api.imports.$get({}, withSignal(signal))),
})
