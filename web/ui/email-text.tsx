/**
 * An email address that is too long for its line goes on after its @ or one of its dots; any other text stays as it is. At a
 * `<wbr>` a screen reader would say a space.
 */
export function EmailText({ email }: { email: string }) {
  if (!email.includes('@')) return email
  const parts = email.split(/(?<=[@.])/)
  return (
    // One element: where lines are clamped, each child would be a block.
    <span>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={index < parts.length - 1 ? 'breaks-after' : undefined}>
          {part}
        </span>
      ))}
    </span>
  )
}
