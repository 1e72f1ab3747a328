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
import { useLazyWhenOpen } from '#web/lib/lazy.ts'
import { Confirm } from '#web/ui/confirm.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

/** The number of recovery codes in a new set, and the number at which to recommend a new set. */
const CODES = { all: 10, few: 3 }

/** The open sheet. */
type Step = 'setup' | 'codes' | 'off' | 'renew'

/** Returns the state around the switch: the requests, the open sheet and its content. */
function useTwoFactor() {
  const { t } = useLingui()
  const queries = useQueryClient()
  const [step, setStep] = useState<Step | null>(null)
  // The content stays after its step ends, so that the sheet keeps it while closing.
  const [setup, setSetup] = useState<TwoFactorSetup | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const onSettled = () => queries.invalidateQueries()
  function showCodes({ recoveryCodes }: RecoveryCodes): void {
    setCodes(recoveryCodes)
    setStep('codes')
  }
  const setupStart = useMutation({
    mutationFn: beginTwoFactor,
    onError: (error) => {
      setStep(null)
      toastError(error)
    },
    onSuccess: (enrollment) => {
      setSetup(enrollment)
      setStep('setup')
    },
  })
  const switchOff = useMutation({
    onSettled,
    mutationFn: switchTwoFactorOff,
    onSuccess: () => {
      setStep(null)
      toast.success(t`Two-factor authentication is off`)
    },
  })
  const renew = useMutation({ mutationFn: renewRecoveryCodes, onSuccess: showCodes, onSettled })
  function open(next: Step | null): void {
    switchOff.reset()
    renew.reset()
    setStep(next)
  }
  return { step, open, setup, codes, showCodes, begin: setupStart, off: switchOff, renew }
}

/** The form and the QR code load with the first setup. */
const loadSetup = () => import('#web/profile/security/two-factor-setup.tsx')

/** The switch for two-factor authentication: a code of an authenticator app in addition to the password. */
export function TwoFactor({ security }: { security: Security | undefined }) {
  const { t } = useLingui()
  const { step, open, setup, codes, showCodes, begin, off, renew } = useTwoFactor()
  const setupSheet = useLazyWhenOpen(loadSetup, step === 'setup', () => open(null))
  const sheet = (name: Step) => ({
    open: step === name,
    onOpenChange: (isOpen: boolean) => open(isOpen ? name : null),
  })

  return (
    <>
      <SwitchRow
        icon={Smartphone}
        label={t`Two-Factor Authentication`}
        description={t`Ask for a code from an authenticator app`}
        checked={security?.twoFactor}
        disabled={begin.isPending || off.isPending}
        onChange={(isOn) => (isOn ? begin.mutate() : open('off'))}
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
          <Trans>You'll sign in with just your password, and you won't need a code for payments.</Trans>
        </p>
        <p>
          <Trans>Your recovery codes will stop working, and your other devices will be signed out.</Trans>
        </p>
      </Confirm>
      <Confirm
        {...sheet('renew')}
        title={t`Get new recovery codes?`}
        description={t`Your current codes will stop working.`}
        yes={t`Get New Codes`}
        no={t({ message: 'Keep My Codes', comment: 'Keeps the existing recovery codes' })}
        busy={renew.isPending}
        error={errorMessage(renew.error)}
        onYes={() => renew.mutate()}
      >
        <p>
          <Trans>You'll get ten new codes. Your current ones will stop working right away.</Trans>
        </p>
      </Confirm>
    </>
  )
}

function CodesLeft({ left, onRenew }: { left: number; onRenew: () => void }) {
  const { t } = useLingui()
  const { all } = CODES
  const isFew = left <= CODES.few
  return (
    <ButtonRow
      icon={LifeBuoy}
      tint={isFew ? 'orange' : 'plain'}
      title={t`Recovery Codes`}
      description={
        isFew
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
