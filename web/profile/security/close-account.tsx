import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { UserX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { setPasskeyRemembered } from '#web/lib/remembered-passkey.ts'
import { paths } from '#web/lib/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { dropKept } from '#web/lib/kept.ts'
import { postToTabs } from '#web/lib/tabs.ts'
import { closeAccount } from '#web/profile/queries.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { Confirm } from '#web/ui/confirm.tsx'
import { ButtonRow } from '#web/ui/row.tsx'

/** Where a customer puts right what keeps their account open. */
const WAYS_OUT: Partial<Record<ErrorCode, { path: string; label: MessageDescriptor }>> = {
  owes_bank: { path: paths.addMoney, label: msg`Add Money` },
  balance_not_zero: { path: paths.transfer, label: msg`Send Money` },
  units_left: { path: paths.invest, label: msg`Invest` },
  orders_pending: { path: paths.invest, label: msg`Invest` },
  coins_left: { path: paths.crypto, label: msg`Crypto` },
  loan_owed: { path: paths.loans, label: msg`Loans` },
}

/** Ending it all, once its consequences are read. */
export function CloseAccount() {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: closeAccount,
    onSuccess: () => {
      setPasskeyRemembered(false)
      dropKept()
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
        title={t`Close My Account`}
        description={t`Permanently, once you've moved all your money out`}
        opens
        onClick={() => {
          reset()
          setAsking(true)
        }}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t`Close your account?`}
        description={t`This can't be undone.`}
        yes={t`Close My Account`}
        no={t`Keep My Account`}
        danger
        busy={isPending || isSuccess}
        error={errorMessage(error) && <Why refusal={error} />}
        onYes={() => mutate()}
      >
        <p>
          <Trans comment="A list of what happens to the account follows">
            This can't be undone. Once your account is closed:
          </Trans>
        </p>
        <ul className="list-disc space-y-1.5 ps-5">
          <li>
            <Trans>Your cards, passkeys and password stop working, and every device is signed out.</Trans>
          </li>
          <li>
            <Trans>Nobody can send you money by email or phone number.</Trans>
          </li>
          <li>
            <Trans>We keep your history for as long as the law requires, then delete it.</Trans>
          </li>
        </ul>
        <p>
          <Trans>If you want a copy of your data, download it first.</Trans>
        </p>
      </Confirm>
    </>
  )
}

function Why({ refusal }: { refusal: Error | null }) {
  const { i18n } = useLingui()
  const way = refusal instanceof Refusal && WAYS_OUT[refusal.code]
  if (!way) return errorMessage(refusal)
  const reason = messageOf(refusal)
  const where = i18n._(way.label)
  return (
    <Trans comment="Why an account is not closed, as a sentence without a full stop; then a link">
      {reason}.{' '}
      <Link to={way.path} className="underline">
        {where}
      </Link>
    </Trans>
  )
}
