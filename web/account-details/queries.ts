import { queryOptions } from '@tanstack/react-query'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { OFFLINE_UNDATED } from '#web/lib/offline-cache.ts'

export const accountDetailsQuery = queryOptions({
  queryKey: ['account-details'],
  meta: OFFLINE_UNDATED,
  queryFn: ({ signal }) => unwrap(api['account-details'].$get({}, withSignal(signal))),
})

/** The address of the PDF letter that confirms the account details. */
export const LETTER_URL = '/api/v1/account-details/letter'
