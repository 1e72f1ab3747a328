import { queryOptions } from '@tanstack/react-query'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

/** The imports of other banks' statements, with their spending by month. */
export const importsQuery = queryOptions({
  queryKey: ['imports'],
  meta: { ...OFFLINE_DATED, touchedBy: ['change'] },
  queryFn: ({ signal }) => unwrap(api.imports.$get({}, withSignal(signal))),
})
