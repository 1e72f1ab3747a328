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
import { clearOfflineCache } from '#web/lib/offline-cache.ts'
import { postToTabs } from '#web/lib/browser-tabs.ts'
import { closeAccount } from '#web/profile/queries.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { Confirm } from '#web/ui/confirm.tsx'
import { ButtonRow } from '#web/ui/row.tsx'

/** The screens where a customer can resolve each obstacle to closing the account. */
const WAYS_OUT: Partial<Record<ErrorCode, { path: string; label: MessageDescriptor }>> = {
  owes_bank: { path: paths.addMoney, label: msg`Add Money` },
  balance_not_zero: { path: paths.transfer, label: msg`Send Money` },
  units_left: { path: paths.invest, label: msg`Invest` },
  orders_pending: { path: paths.invest, label: msg`Invest` },
  coins_left: { path: paths.crypto, label: msg`Crypto` },
  loan_owed: { path: paths.loans, label: msg`Loans` },
}

/** Closes the account after the customer has read the consequences. */
export function CloseAccount() {
  const { t } = useLingui()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: closeAccount,
    onSuccess: () => {
      setPasskeyRemembered(false)
      clearOfflineCache()
      postToTabs({ type: 'signed_out', reason: 'left' })
      // The page is reloaded, so that no data and no listeners of the customer remain.
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
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Close your account?`}
        description={t`This can't be undone.`}
        yes={t`Close My Account`}
        no={t`Keep My Account`}
        danger
        busy={isPending || isSuccess}
        error={errorMessage(error) && <RefusalReason refusal={error} />}
        onYes={() => mutate()}
      >
        <p>
          <Trans comment="A list follows, with the effects of closing the account">
            This can't be undone. Once your account is closed:
          </Trans>
        </p>
        <ul className="list-disc space-y-1.5 ps-5">
          <li>
            <Trans>Your cards, passkeys and password stop working, and every device is signed out.</Trans>
          </li>
          <li>
            <Trans>No one can send you money by email or phone number.</Trans>
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

function RefusalReason({ refusal }: { refusal: Error | null }) {
  const { i18n } = useLingui()
  const wayOut = refusal instanceof Refusal && WAYS_OUT[refusal.code]
  if (!wayOut) return errorMessage(refusal)
  const reason = messageOf(refusal)
  const where = i18n._(wayOut.label)
  return (
    <Trans comment="{reason} is a sentence without a period: the reason why the account cannot be closed. A link follows">
      {reason}.{' '}
      <Link to={wayOut.path} className="underline">
        {where}
      </Link>
    </Trans>
  )
}
