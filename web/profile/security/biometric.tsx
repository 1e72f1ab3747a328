import { Plural, Trans, useLingui } from '@lingui/react/macro'
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
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ButtonRow, Row } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { SwitchRow } from '#web/ui/switch.tsx'

type BiometricProps = {
  security: Security | undefined
  /** True for a sample visitor without a sign-in method. The switch then only stores its state. */
  anonymous: boolean
}

/**
 * The switch for sign-in without a password. Turning it on creates a passkey, if the browser supports passkeys. Turning it off
 * removes all passkeys.
 */
export function BiometricRow({ security, anonymous }: BiometricProps) {
  const { t } = useLingui()
  const change = usePreferences()
  const { add, remove } = usePasskeys()
  const [isAsking, setAsking] = useState(false)
  const passkeys = security?.passkeys ?? []

  function openQuestion(): void {
    remove.reset()
    setAsking(true)
  }

  function switchLogin(isOn: boolean): void {
    if (!isOn && passkeys.length > 0) openQuestion()
    else if (isOn && !anonymous && browserSupportsWebAuthn()) add.mutate()
    else change({ biometricLogin: isOn })
  }

  return (
    <>
      <SwitchRow
        icon={Fingerprint}
        label={t`Biometric Login`}
        description={t`Sign in with your fingerprint, face or screen lock`}
        checked={security?.biometricLogin}
        disabled={add.isPending || remove.isPending}
        onChange={switchLogin}
      />
      <RemovePasskeys
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Turn off biometric login?`}
        yes={t`Turn Off`}
        no={t({ message: 'Keep It On', context: 'biometric login' })}
        passkeys={passkeys}
        busy={remove.isPending}
        error={remove.error}
        onYes={() =>
          remove.mutate(passkeys, {
            onSuccess: (remaining) => {
              // A bank may keep the switch on without any passkey, so the switch is turned off too.
              if (remaining?.biometricLogin) change({ biometricLogin: false })
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
  const { t } = useLingui()
  const count = passkeys.length
  const passkeyName = passkeys[0]?.name ?? ''
  return (
    <Confirm
      {...confirm}
      danger
      description={t`Your passkeys will be removed from your account.`}
      error={errorMessage(error)}
    >
      <p>
        {count > 1 ? (
          <Plural
            value={count}
            one="# passkey stops working right away, and your other devices are signed out."
            other="# passkeys stop working right away, and your other devices are signed out."
          />
        ) : (
          <Trans>The passkey “{passkeyName}” stops working right away, and your other devices are signed out.</Trans>
        )}
      </p>
      <p>
        {count > 1 ? (
          <Trans comment={'"Them" are passkeys'}>
            Your device may still offer them when you sign in. Delete them there, too.
          </Trans>
        ) : (
          <Trans comment={'"It" is a passkey'}>
            Your device may still offer it when you sign in. Delete it there, too.
          </Trans>
        )}
      </p>
    </Confirm>
  )
}

function factsOf({ createdAt, lastUsedAt, synced }: Passkey, nowMs: number) {
  const day = localShortDay(createdAt)
  const ago = lastUsedAt && timeAgo(lastUsedAt, nowMs)
  return [
    { key: 'added', fact: <Trans context="passkey">Added {day}</Trans> },
    {
      key: 'used',
      fact: ago ? (
        <Trans context="passkey" comment="{ago} is '5 minutes ago', 'yesterday' or 'on Aug 26, 2026'">
          used {ago}
        </Trans>
      ) : (
        <Trans context="passkey">never used</Trans>
      ),
    },
    ...(synced ? [{ key: 'synced', fact: <Trans context="passkey">synced to your other devices</Trans> }] : []),
  ]
}

type PasskeyRowProps = { passkey: Passkey; nowMs: number; onRemove: () => void }

function PasskeyRow({ passkey, nowMs, onRemove }: PasskeyRowProps) {
  const { t } = useLingui()
  const passkeyName = passkey.name
  return (
    <Row
      icon={KeyRound}
      tint="plain"
      title={passkeyName}
      description={<InlineFacts facts={factsOf(passkey, nowMs)} />}
      trailing={
        <IconButton
          icon={Trash2}
          label={t`Remove ${passkeyName}`}
          className="-me-2 !text-ink-soft"
          onClick={onRemove}
        />
      }
    />
  )
}

/** Lists the customer's passkeys. While they load, there is space for one. */
export function Passkeys({ security }: { security: Security | undefined }) {
  const { t } = useLingui()
  const { add, remove } = usePasskeys()
  const [chosenPasskey, setChosen] = useState<Passkey | null>(null)
  const [isAsking, setAsking] = useState(false)
  function openQuestion(passkey: Passkey): void {
    remove.reset()
    setChosen(passkey)
    setAsking(true)
  }
  const nowMs = useNow()
  const passkeys = security?.passkeys ?? []
  const possible = !security || browserSupportsWebAuthn()
  if (passkeys.length === 0 && !possible) return null
  return (
    <Section title={t`Passkeys`}>
      <Card>
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyRow passkey={passkey} nowMs={nowMs} onRemove={() => openQuestion(passkey)} />
            </li>
          ))}
          {possible && (
            <li>
              <ButtonRow
                icon={Plus}
                title={passkeys.length > 0 ? t`Add Another Passkey` : t`Add a Passkey`}
                description={passkeys.length > 0 ? undefined : t`Sign in on this device without a password`}
                busy={add.isPending}
                disabled={!security}
                onClick={() => add.mutate()}
              />
            </li>
          )}
        </ul>
      </Card>
      <RemovePasskeys
        open={isAsking}
        onOpenChange={setAsking}
        title={t`Remove this passkey?`}
        yes={t`Remove`}
        no={t({ message: 'Keep It', context: 'passkey' })}
        passkeys={chosenPasskey ? [chosenPasskey] : []}
        busy={remove.isPending}
        error={remove.error}
        onYes={() => chosenPasskey && remove.mutate([chosenPasskey], { onSuccess: () => setAsking(false) })}
      />
    </Section>
  )
}
