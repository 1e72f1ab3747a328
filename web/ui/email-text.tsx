import { Fragment } from 'react'

/** An email address that is too long for its line goes on after its @ or one of its dots; any other text stays as it is. */
export function EmailText({ email }: { email: string }) {
  if (!email.includes('@')) return email
  const parts = email.split(/(?<=[@.])/)
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {/* Hidden, or its name would have a space here for a screen reader. */}
      {index > 0 && <wbr aria-hidden />}
      {part}
    </Fragment>
  ))
}
