import { queryOptions } from '@tanstack/react-query'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { KEPT_UNDATED } from '#web/lib/kept.ts'

export const accountDetailsQuery = queryOptions({
  queryKey: ['account-details'],
  meta: KEPT_UNDATED,
  queryFn: ({ signal }) => unwrap(api['account-details'].$get({}, withSignal(signal))),
})

/** Where the letter that confirms them is, as a PDF. */
export const LETTER_URL = '/api/v1/account-details/letter'
