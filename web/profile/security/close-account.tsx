import { useMutation } from '@tanstack/react-query'
import { UserX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Refusal } from '#contract/errors.ts'
import { setPasskeyRemembered } from '#web/lib/remembered-passkey.ts'
import { paths } from '#web/lib/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { postToTabs } from '#web/lib/tabs.ts'
import { closeAccount } from '#web/profile/queries.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { Confirm } from '#web/ui/confirm.tsx'
import { ButtonRow } from '#web/ui/row.tsx'

/** Ending it all, once its consequences are read. */
export function CloseAccount() {
  const [asking, setAsking] = useState(false)
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: closeAccount,
    onSuccess: () => {
      setPasskeyRemembered(false)
      postToTabs({ type: 'signed_out', reason: 'left' })
      // Loaded anew, so that nothing of the customer stays on the screen or keeps listening.
      location.replace(paths.home)
    },
  })
  return (
    <>
      <ButtonRow
        icon={UserX}
        tint="danger"
        title="Close my account"
        description="For good, once all your money is moved out"
        opens
        onClick={() => {
          reset()
          setAsking(true)
        }}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Close your account?"
        description="Closing is for good."
        yes="Close my account"
        no="Keep my account"
        danger
        busy={isPending || isSuccess}
        error={errorMessage(error) && <Why refusal={error} />}
        onYes={() => mutate()}
      >
        <p>Closing is for good. Once it is closed:</p>
        <ul className="list-disc space-y-1.5 ps-5">
          <li>your cards, passkeys and password stop working, and every device is signed out;</li>
          <li>nobody can send you money by your email or phone number;</li>
          <li>your history is kept for as long as the law asks of a bank, then removed.</li>
        </ul>
        <p>Download your data first if you want a copy.</p>
      </Confirm>
    </>
  )
}

function Why({ refusal }: { refusal: Error | null }) {
  if (!(refusal instanceof Refusal) || refusal.code !== 'balance_not_zero') return errorMessage(refusal)
  return (
    <>
      {messageOf(refusal)}.{' '}
      <Link to={paths.transfer} className="underline">
        Send Money
      </Link>
    </>
  )
}
