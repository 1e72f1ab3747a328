import { Trans } from '@lingui/react/macro'
import { Laptop, type LucideIcon, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Device } from '#contract/identity.ts'
import { deviceText, networkZoneText } from '#web/i18n/security-words.ts'
import { useNow } from '#web/lib/now.ts'
import { timeAgo } from '#web/lib/local-time.ts'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { Row } from '#web/ui/row.tsx'

const PHONES = /Android|iOS|iPhone|iPad|Windows Phone/i
const pictureOf = ({ device }: Device): LucideIcon => (PHONES.test(device.system ?? '') ? Smartphone : Laptop)

function factsOf({ current, networkZone, lastUsedAt, signedInAt }: Device, nowMs: number) {
  const ago = timeAgo(lastUsedAt, nowMs)
  const since = timeAgo(signedInAt, nowMs)
  return [
    { key: 'zone', fact: networkZoneText(networkZone) },
    // The current device is always in use, so its last use is left out.
    !current && {
      key: 'used',
      fact: (
        <Trans context="device" comment="{ago} is '5 minutes ago', 'yesterday' or 'on Aug 26, 2026'">
          used {ago}
        </Trans>
      ),
    },
    {
      key: 'signed-in',
      fact: (
        <Trans context="device" comment="{since} is '5 minutes ago', 'yesterday' or 'on Aug 26, 2026'">
          signed in {since}
        </Trans>
      ),
    },
  ].filter((fact) => fact !== false)
}

/** Shows a device, its location, and the times of its last use and its sign-in. */
export function DeviceRow({ device, trailing }: { device: Device; trailing?: ReactNode }) {
  const nowMs = useNow()
  return (
    <Row
      icon={pictureOf(device)}
      tint={device.current ? 'primary' : 'plain'}
      title={deviceText(device.device)}
      description={<InlineFacts facts={factsOf(device, nowMs)} />}
      trailing={trailing}
    />
  )
}
