import type { ReactNode } from 'react'

type RowsProps<Item> = { of: readonly Item[]; children: (item: Item) => ReactNode }

/** A list of rows with lines between them. */
export function Rows<Item extends { id: string }>({ of, children }: RowsProps<Item>) {
  return (
    <ul className="divide-y divide-line">
      {of.map((item) => (
        <li key={item.id}>{children(item)}</li>
      ))}
    </ul>
  )
}
