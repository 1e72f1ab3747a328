import { queryOptions } from '@tanstack/react-query'
import { me } from '#contract/identity.ts'
import { get } from '#web/lib/client.ts'

/** Who is signed in, and which mode the bank runs in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => get('/me', me, signal),
  staleTime: 5 * 60_000,
})
