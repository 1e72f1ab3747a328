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

/** The id of the transaction that an address is about, or that the last screen handed over; null where there is none. */
export function chosenId({ search, state }: Pick<Location, 'search' | 'state'>): string | null {
  const handedOver = (state as { transaction?: { id?: unknown } } | null)?.transaction?.id
  return new URLSearchParams(search).get(ID) ?? (typeof handedOver === 'string' ? handedOver : null)
}
