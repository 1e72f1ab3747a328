/** An email address that is too long for its line goes on after its @; any other text stays as it is. */
export function EmailText({ email }: { email: string }) {
  const [name = '', domain] = email.split('@')
  return (
    <>
      {name}
      {domain && (
        <>
          @<wbr />
          {domain}
        </>
      )}
    </>
  )
}
