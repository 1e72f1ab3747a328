import type { ReactNode } from 'react'

/** A dot between two facts. Screen readers read it as a comma. */
export function Dot() {
  return (
    <>
      <span className="sr-only select-none">, </span>
      <span aria-hidden> · </span>
    </>
  )
}

/** Short facts in a row with dots between them. A dot at the beginning of a wrapped line is clipped. */
export function InlineFacts({ facts }: { facts: readonly { key: string; fact: ReactNode }[] }) {
  return (
    <span className="block overflow-hidden">
      <span className="-ms-3 flex flex-wrap">
        {facts.map(({ key, fact }, index) => (
          <span key={key} className="relative ps-3">
            {index > 0 && <span className="sr-only">, </span>}
            <span aria-hidden className="absolute start-0 w-3 text-center">
              ·
            </span>
            {fact}
          </span>
        ))}
      </span>
    </span>
  )
}
