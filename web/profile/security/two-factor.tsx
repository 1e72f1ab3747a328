import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LifeBuoy, Smartphone } from 'lucide-react'
import { useState } from 'react'
import type { RecoveryCodes, Security, TwoFactorSetup } from '#contract/identity.ts'
import { toast } from '#web/lib/toast.ts'
import { beginTwoFactor, renewRecoveryCodes, switchTwoFactorOff } from '#web/profile/queries.ts'
import { toastError, errorMessage } from '#web/lib/error-toast.ts'
import { RecoveryCodesSheet } from '#web/profile/security/recovery-codes.tsx'
import { useOpened } from '#web/lib/on-demand.ts'
import { Confirm } from '#web/ui/confirm.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

/** How many recovery codes there are when all are new, and when it is time for new ones. */
const CODES = { all: 10, few: 3 }

/** What is open above the screen. */
type Step = 'setup' | 'codes' | 'off' | 'renew'

/** What goes on around the switch: the requests, which sheet is open, and what it shows. */
function useTwoFactor() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [step, setStep] = useState<Step | null>(null)
  // They outlive the step, so that a sheet keeps its content while it leaves.
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const onSettled = () => queries.invalidateQueries()
  function showCodes({ recoveryCodes }: RecoveryCodes): void {
    setCodes(recoveryCodes)
    setStep('codes')
  }
  const begin = useMutation({
    mutationFn: beginTwoFactor,
    onError: (error) => {
      setStep(null)
      toastError(error)
    },
    onSuccess: (begun) => {
      setSetup(begun)
      setStep('setup')
    },
  })
  const off = useMutation({
    onSettled,
    mutationFn: switchTwoFactorOff,
    onSuccess: () => {
      setStep(null)
      toast.success(t`Two-factor authentication is off`)
    },
  })
  const renew = useMutation({ mutationFn: renewRecoveryCodes, onSuccess: showCodes, onSettled })
  function open(next: Step | null): void {
    off.reset()
    renew.reset()
    setStep(next)
  }
  return { step, open, setup, codes, showCodes, begin, off, renew }
}

/** Its form and QR code come with the first setup. */
const loadSetup = () => import('#web/profile/security/two-factor-setup.tsx')

/** Signing in with a code of an authenticator app beside the password. */
export function TwoFactor({ security }: { security: Security | undefined }) {
  const { t } = useLingui()
  const { step, open, setup, codes, showCodes, begin, off, renew } = useTwoFactor()
  const setupSheet = useOpened(loadSetup, step === 'setup', () => open(null))
  const sheet = (name: Step) => ({
    open: step === name,
    onOpenChange: (opened: boolean) => open(opened ? name : null),
  })

  return (
    <>
      <SwitchRow
        icon={Smartphone}
        label={t`Two-Factor Authentication`}
        description={t`Ask for a code from an authenticator app`}
        checked={security?.twoFactor}
        disabled={begin.isPending || off.isPending}
        onChange={(on) => (on ? begin.mutate() : open('off'))}
      />
      {security?.twoFactor && <CodesLeft left={security.recoveryCodesLeft} onRenew={() => open('renew')} />}
      {setup && setupSheet && (
        <setupSheet.TwoFactorSetupSheet
          key={setup.oneTimeToken}
          {...sheet('setup')}
          setup={setup}
          onDone={showCodes}
          onEnded={() => begin.mutate()}
        />
      )}
      <RecoveryCodesSheet codes={codes} open={step === 'codes'} onClose={() => open(null)} />
      <Confirm
        {...sheet('off')}
        title={t`Turn off two-factor authentication?`}
        description={t`You'll sign in with just your password.`}
        yes={t`Turn Off`}
        no={t({ message: 'Keep It On', context: 'two-factor authentication' })}
        danger
        busy={off.isPending}
        error={errorMessage(off.error)}
        onYes={() => off.mutate()}
      >
        <p>
          <Trans>You'll sign in with just your password, and payments won't ask for a code.</Trans>
        </p>
        <p>
          <Trans>Your recovery codes will stop working, and your other devices will be signed out.</Trans>
        </p>
      </Confirm>
      <Confirm
        {...sheet('renew')}
        title={t`Get new recovery codes?`}
        description={t`The codes you have now stop working.`}
        yes={t`Get New Codes`}
        no={t({ message: 'Keep My Codes', comment: 'Recovery codes' })}
        busy={renew.isPending}
        error={errorMessage(renew.error)}
        onYes={() => renew.mutate()}
      >
        <p>
          <Trans>You'll get ten new codes. The ones you have now stop working right away.</Trans>
        </p>
      </Confirm>
    </>
  )
}

function CodesLeft({ left, onRenew }: { left: number; onRenew: () => void }) {
  const { t } = useLingui()
  const { all } = CODES
  const few = left <= CODES.few
  return (
    <ButtonRow
      icon={LifeBuoy}
      tint={few ? 'orange' : 'plain'}
      title={t`Recovery Codes`}
      description={
        few
          ? plural(left, {
              one: `# of ${all} left. Get new ones before you run out`,
              other: `# of ${all} left. Get new ones before you run out`,
            })
          : plural(left, { one: `# of ${all} left`, other: `# of ${all} left` })
      }
      opens
      onClick={onRenew}
    />
  )
}
