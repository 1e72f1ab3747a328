import { queryOptions } from '@tanstack/react-query'
import { answerOf, bank, until } from '#web/lib/client.ts'

/** Who is signed in, and which mode the bank runs in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => answerOf(bank.me.$get({}, until(signal))),
  staleTime: 5 * 60_000,
})
