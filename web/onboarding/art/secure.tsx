import { Cone, Glow, Ground, Leaf, Line, Motion, Pane, Picture } from '#web/onboarding/art/parts.tsx'

const SHIELD = 'M0-112C30-94 62-86 96-84C100-8 78 62 0 112C-78 62-100-8-96-84C-62-86-30-94 0-112Z'

/** A shield whose growth rings are a fingerprint, and the identity document that was looked at. */
export function Secure() {
  return (
    <Picture>
      <Motion kind="far">
        <Glow x={160} y={158} size={180} />
      </Motion>
      <Ground y={300} />
      <Sprigs />
      <Shield />
      <Motion kind="near">
        <Ground y={334} near />
        <Motion kind="pop" turn={0}>
          <Document />
        </Motion>
        <Motion kind="pop" turn={2}>
          <Face />
        </Motion>
      </Motion>
    </Picture>
  )
}

function Sprigs() {
  return (
    <>
      <path
        d="M104 380C66 310 40 262 34 186M236 380C262 320 284 270 292 190M252 338C280 326 292 312 300 296"
        strokeWidth={4.5}
        strokeLinecap="round"
        className="stroke-(--poster-orange-mid)"
      />
      <Leaf x={34} y={190} turn={-8} size={0.96} />
      <Leaf x={39} y={222} turn={-76} size={0.68} tone="deep" />
      <Leaf x={292} y={194} turn={10} size={0.9} tone="deep" />
      <Leaf x={288} y={224} turn={66} size={0.74} />
      <Leaf x={277} y={268} turn={-54} size={0.6} />
      <Leaf x={299} y={298} turn={48} size={0.66} tone="deep" />
      <Cone x={262} y={316} turn={10} size={0.8} />
    </>
  )
}

function Shield() {
  return (
    <g transform="translate(160 172)">
      <path d={SHIELD} transform="translate(0 9)" className="fill-(--poster-shade)" />
      <path d={SHIELD} className="fill-brand" />
      <path d="M0-112C30-94 62-86 96-84C100-8 78 62 0 112Z" className="fill-brand-deep" />
      <path d={SHIELD} transform="scale(0.89)" strokeWidth={2} className="stroke-on-brand opacity-25" />
      <Fingerprint />
    </g>
  )
}

/** Rings of a tree and ridges of a finger: both grow around one point, and no two are alike. */
function Fingerprint() {
  return (
    <g strokeWidth={5.5} strokeLinecap="round" className="stroke-on-brand">
      <path pathLength={1} className="art-draw" d="M-50 10C-56-34-32-64 0-64C34-64 56-36 50 8C49 18 46 28 42 36" />
      <path
        pathLength={1}
        className="art-draw"
        d="M-40 38C-44 18-44 0-38-18C-32-38-18-50 0-50C24-50 40-30 37-2C36 16 31 32 24 46"
      />
      <path
        pathLength={1}
        className="art-draw"
        d="M-28 52C-32 30-32 8-27-10C-23-26-13-36 0-36C16-36 26-22 24-2C23 20 17 40 8 56"
      />
      <path
        pathLength={1}
        className="art-draw"
        d="M-12 60C-18 36-20 12-15-6C-12-16-7-22 0-22C8-22 13-14 12-2C11 22 7 40 0 52"
      />
      <path pathLength={1} className="art-draw stroke-[#eda277]" d="M0-7C2 14 0 28-3 40" />
    </g>
  )
}

function Document() {
  return (
    <g transform="translate(24 238) rotate(-7)">
      <Pane width={150} height={92} />
      <rect width={150} height={22} rx={16} className="fill-(--poster-primary)" />
      <rect y={12} width={150} height={12} className="fill-(--poster-primary)" />
      <Line x={16} y={12.5} width={36} className="stroke-on-primary opacity-70" />
      <rect x={14} y={35} width={38} height={44} rx={9} className="fill-orange-subtle" />
      <circle cx={33} cy={51} r={8} className="fill-(--poster-orange)" />
      <path d="M18 79C18 68 25 63 33 63S48 68 48 79Z" className="fill-(--poster-orange)" />
      <Line x={67} y={43} width={62} className="stroke-line-strong" />
      <Line x={67} y={57} width={46} />
      <Line x={67} y={71} width={54} />
      <g transform="translate(146 84)">
        <circle r={21} className="fill-orange-subtle" />
        <circle r={17} className="fill-(--poster-primary)" />
        <path
          pathLength={1}
          d="M-7 0.500L-2 6L8-5"
          strokeWidth={4}
          strokeLinecap="round"
          strokeLinejoin="round"
          className="art-draw stroke-on-primary"
        />
      </g>
    </g>
  )
}

/** A face in its frame. */
function Face() {
  return (
    <g transform="translate(216 46) rotate(6)">
      <Pane width={78} height={78} radius={22} />
      <path
        d="M17 29V24Q17 17 24 17H29M49 17H54Q61 17 61 24V29M61 49V54Q61 61 54 61H49M29 61H24Q17 61 17 54V49"
        strokeWidth={4}
        strokeLinecap="round"
        className="stroke-(--poster-orange)"
      />
      <path
        d="M31 32V36M47 32V36M30 46Q39 53 48 46"
        strokeWidth={4}
        strokeLinecap="round"
        className="stroke-(--poster-primary)"
      />
    </g>
  )
}
