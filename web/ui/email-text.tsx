import { Fragment } from 'react'

/**
 * An email address that is too long for its line goes on after its @ or one of its dots; any other text stays as it is. A
 * screen reader has it in one piece: it would say a space at each of those places.
 */
export function EmailText({ email }: { email: string }) {
  if (!email.includes('@')) return email
  const parts = email.split(/(?<=[@.])/)
  return (
    <>
      <span className="sr-only select-none">{email}</span>
      <span aria-hidden>
        {parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
    </>
  )
}
