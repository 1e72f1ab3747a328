import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { Fingerprint, KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Passkey, Security } from '#contract/identity.ts'
import { timeAgo, localShortDay } from '#web/lib/local-time.ts'
import { useNow } from '#web/lib/now.ts'
import { usePasskeys } from '#web/profile/security/passkeys.ts'
import { usePreferences } from '#web/profile/preferences.ts'
import { errorMessage } from '#web/lib/error-toast.ts'
import { Confirm } from '#web/ui/confirm.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ButtonRow, Row } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

type BiometricProps = {
  security: Security
  /** A sample visitor has no way in that could be made safer: the switch alone is kept. */
  anonymous: boolean
}

/** Signing in without a password: on makes a passkey, off takes them away. */
export function BiometricRow({ security, anonymous }: BiometricProps) {
  const change = usePreferences()
  const { add, remove } = usePasskeys()
  const [asking, setAsking] = useState(false)
  const { passkeys } = security

  function ask(): void {
    remove.reset()
    setAsking(true)
  }

  function turn(on: boolean): void {
    if (!on && passkeys.length > 0) ask()
    else if (on && !anonymous && browserSupportsWebAuthn()) add.mutate()
    else change({ biometricLogin: on })
  }

  return (
    <>
      <SwitchRow
        icon={Fingerprint}
        label="Biometric Login"
        description="Sign in with your fingerprint, face or screen lock"
        checked={security.biometricLogin}
        disabled={add.isPending || remove.isPending}
        onChange={turn}
      />
      <RemovePasskeys
        open={asking}
        onOpenChange={setAsking}
        title="Turn off biometric login?"
        yes="Turn off"
        no="Keep it on"
        passkeys={passkeys}
        busy={remove.isPending}
        error={remove.error}
        onYes={() =>
          remove.mutate(passkeys, {
            onSuccess: (left) => {
              // Where the bank keeps the switch on without any passkey, it is turned off too.
              if (left?.biometricLogin) change({ biometricLogin: false })
              setAsking(false)
            },
          })
        }
      />
    </>
  )
}

type RemovePasskeysProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  yes: string
  no: string
  passkeys: readonly Passkey[]
  busy: boolean
  error: Error | null
  onYes: () => void
}

function RemovePasskeys({ passkeys, error, ...confirm }: RemovePasskeysProps) {
  const names = passkeys.map(({ name }) => name)
  return (
    <Confirm {...confirm} danger description="Passkeys are removed from your account." error={errorMessage(error)}>
      <p>
        {names.length > 1 ? `${names.length} passkeys stop working` : `The passkey “${names[0] ?? ''}” stops working`}{' '}
        at once, and your other devices are signed out.
      </p>
      <p>
        Your device may still offer {names.length > 1 ? 'them' : 'it'} when you sign in: delete{' '}
        {names.length > 1 ? 'them' : 'it'} there as well.
      </p>
    </Confirm>
  )
}

function factsOf({ createdAt, lastUsedAt, synced }: Passkey, nowMs: number) {
  return [
    { key: 'added', fact: `Added ${localShortDay(createdAt)}` },
    { key: 'used', fact: lastUsedAt ? `used ${timeAgo(lastUsedAt, nowMs)}` : 'never used' },
    ...(synced ? [{ key: 'synced', fact: 'synced to your other devices' }] : []),
  ]
}

/** The passkeys a customer has, one by one. */
export function Passkeys({ passkeys }: { passkeys: readonly Passkey[] }) {
  const { add, remove } = usePasskeys()
  const [chosen, setChosen] = useState<Passkey | null>(null)
  const [asking, setAsking] = useState(false)
  function ask(passkey: Passkey): void {
    remove.reset()
    setChosen(passkey)
    setAsking(true)
  }
  const nowMs = useNow()
  const possible = browserSupportsWebAuthn()
  if (passkeys.length === 0 && !possible) return null
  return (
    <Section title="Passkeys">
      <Card>
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <Row
                icon={KeyRound}
                tint="plain"
                title={passkey.name}
                description={<Facts facts={factsOf(passkey, nowMs)} />}
                trailing={
                  <IconButton
                    icon={Trash2}
                    label={`Remove ${passkey.name}`}
                    className="-me-2 !text-ink-soft"
                    onClick={() => ask(passkey)}
                  />
                }
              />
            </li>
          ))}
          {possible && (
            <li>
              <ButtonRow
                icon={Plus}
                title={passkeys.length > 0 ? 'Add another passkey' : 'Add a passkey'}
                description={passkeys.length > 0 ? undefined : 'Sign in on this device without a password'}
                busy={add.isPending}
                onClick={() => add.mutate()}
              />
            </li>
          )}
        </ul>
      </Card>
      <RemovePasskeys
        open={asking}
        onOpenChange={setAsking}
        title="Remove this passkey?"
        yes="Remove"
        no="Keep it"
        passkeys={chosen ? [chosen] : []}
        busy={remove.isPending}
        error={remove.error}
        onYes={() => chosen && remove.mutate([chosen], { onSuccess: () => setAsking(false) })}
      />
    </Section>
  )
}
