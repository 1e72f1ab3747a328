import type { Location } from 'react-router'

/** The query parameter that contains the id of the open transaction. */
const ID = 'id'

export function searchWithId(search: string, id: string): string {
  const params = new URLSearchParams(search)
  params.set(ID, id)
  return `?${params}`
}

/** Returns a query string without the transaction's id. Only the list's filters remain. */
export function searchWithoutId(search: string): string {
  const params = new URLSearchParams(search)
  params.delete(ID)
  return params.size === 0 ? '' : `?${params}`
}

/** The format of a transaction's id: the UUID of an operation, with the number of the leg if it has several. */
const TRANSACTION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\d+)?$/i

/** Returns the transaction's id from the address or the navigation state, or null if neither has one. */
export function transactionIdIn({ search, state }: Pick<Location, 'search' | 'state'>): string | null {
  const handedOver = (state as { transaction?: { id?: unknown } } | null)?.transaction?.id
  const id = new URLSearchParams(search).get(ID) ?? handedOver
  return typeof id === 'string' && TRANSACTION_ID.test(id) ? id : null
}
