import type { Location } from 'react-router'

/** The name in the query string under which an address says which transaction it shows. */
const ID = 'id'

export function searchWithId(search: string, id: string): string {
  const params = new URLSearchParams(search)
  params.set(ID, id)
  return `?${params}`
}

/** A query string without the transaction: the filters of the list, empty where there are none. */
export function searchWithoutId(search: string): string {
  const params = new URLSearchParams(search)
  params.delete(ID)
  return params.size === 0 ? '' : `?${params}`
}

/** What the bank calls a transaction: an operation's UUID, with the leg where it has several. */
const TRANSACTION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.\d+)?$/i

/** The id of the transaction that an address is about, or that the last screen handed over; null where there is none. */
export function chosenId({ search, state }: Pick<Location, 'search' | 'state'>): string | null {
  const handedOver = (state as { transaction?: { id?: unknown } } | null)?.transaction?.id
  const id = new URLSearchParams(search).get(ID) ?? handedOver
  return typeof id === 'string' && TRANSACTION_ID.test(id) ? id : null
}
