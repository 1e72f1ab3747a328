import { Fragment } from 'react'

/** An email address that can wrap after its @ and its dots. Other text stays unchanged. */
export function EmailText({ email }: { email: string }) {
  if (!email.includes('@')) return email
  const parts = email.split(/(?<=[@.])/)
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {/* Hidden from screen readers, because the accessible name would otherwise contain a space here. */}
      {index > 0 && <wbr aria-hidden />}
      {part}
    </Fragment>
  ))
}
