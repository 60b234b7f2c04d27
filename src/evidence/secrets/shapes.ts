import { type SecretShape, type ShapeOptions, shapesOf } from './shape.ts';

/** One kind of credential: its name, and the patterns of its formats as their issuers document them. */
type Row = readonly [name: string, patterns: readonly string[], options?: ShapeOptions];

const KEY_BODY = String.raw`[A-Za-z0-9+/=\s\\]{40,16384}`;

const KEYS: readonly Row[] = [
  ['private key', [`-----BEGIN (|RSA |EC |DSA |OPENSSH |ENCRYPTED |SSH2 ENCRYPTED )PRIVATE KEY-----${KEY_BODY}`]],
  ['private key', [`-----BEGIN PGP PRIVATE KEY BLOCK-----${KEY_BODY}`]],
  // The same in base64, as Kubernetes keeps it.
  [
    'private key',
    ['LS0tLS1CRUdJTi(BQUklWQVRF|BSU0EgUFJJVkFURS|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZBVEUg)[A-Za-z0-9+/=]{60,}'],
  ],
  ['private key', ['AGE-SECRET-KEY-1[A-Z0-9]{58}']],
  ['JWT', [String.raw`eyJ[\w-]{8,2048}.[\w-]{8,8192}.[\w-]{16,2048}`]],
  ['bearer token', ['(B|b)earer [A-Za-z0-9._~+/=-]{20,4096}'], { generic: true }],
  ['basic authorization', ['(Authorization|authorization): Basic [A-Za-z0-9+/=]{16,512}'], { generic: true }],
  ['password in a URL', [String.raw`://[\w.%+-]{1,64}:[^\s/:@"'<>$\{\}]{8,128}@`], { generic: true, insideWord: true }],
];

const MODELS: readonly Row[] = [
  [
    'API key',
    ['sk-(ant-|proj-|svcacct-|admin-|or-v1-|lf-)[A-Za-z0-9_-]{20,512}', 'sk-[A-Za-z0-9]{20,128}'],
    { generic: true },
  ],
  ['Groq key', ['gsk_[A-Za-z0-9]{40,64}']],
  ['xAI key', ['xai-[A-Za-z0-9]{70,96}']],
  ['Perplexity key', ['pplx-[A-Za-z0-9]{40,64}']],
  ['Hugging Face token', ['(hf_|api_org_)[A-Za-z0-9]{30,64}']],
  ['Replicate token', ['r8_[A-Za-z0-9]{37,40}']],
  ['LangSmith key', ['lsv2_(pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}']],
  ['Pinecone key', ['pcsk_[A-Za-z0-9_]{40,}']],
  ['Tavily key', ['tvly-(dev-|prod-|)[A-Za-z0-9]{28,40}']],
  ['Google API key', [String.raw`AIza[\w-]{35}`]],
];

const CODE_HOSTS: readonly Row[] = [
  ['GitHub token', ['gh(p|o|u|s|r)_[A-Za-z0-9]{36,255}', String.raw`github_pat_[\w]{22,255}`]],
  [
    'GitLab token',
    ['gl(pat|dt|ft|rt|imt|soat|agent|oas|ptt|ffct|cbt)-[A-Za-z0-9_.=-]{20,320}', String.raw`GR1348941[\w-]{20}`],
  ],
  ['Bitbucket token', ['ATBB[A-Za-z0-9]{32}']],
  ['Atlassian token', ['ATATT3[A-Za-z0-9_=-]{100,400}']],
  ['Sourcegraph token', ['sg(p|d)_[a-f0-9]{40}', 'sgp_local_[a-f0-9]{40}', 'sgp_[a-f0-9]{16}_[a-f0-9]{40}']],
  ['npm token', ['npm_[A-Za-z0-9]{36}']],
  ['PyPI token', [String.raw`pypi-AgE[\w-]{50,1000}`]],
  ['RubyGems key', ['rubygems_[a-f0-9]{48}']],
  ['crates.io token', ['cio[A-Za-z0-9]{32}']],
  ['NuGet key', ['oy2[a-z0-9]{43}']],
  ['Clojars token', ['CLOJARS_[a-z0-9]{60}']],
  ['Docker token', [String.raw`dckr_(pat|oat)_[\w-]{24,64}`]],
  ['Artifactory key', ['AKCp[A-Za-z0-9]{69}', 'cmVmd[A-Za-z0-9]{59}']],
  ['CircleCI token', [String.raw`CCI(PAT|PRJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}`]],
  ['Buildkite token', ['bk(ua|ct|aj)_[a-f0-9]{40}']],
  ['SonarQube token', ['sq(p|u|a)_[a-f0-9]{40}']],
  ['Snyk token', ['snyk_(uat|sat).[a-f0-9]{8}.[A-Za-z0-9_.-]{30,}']],
  ['Pulumi token', ['pul-[a-f0-9]{40}']],
  ['Terraform token', ['.atlasv1.[A-Za-z0-9_=-]{60,70}'], { insideWord: true }],
];

const CLOUDS: readonly Row[] = [
  ['AWS access key', ['(AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}']],
  [
    'AWS secret key',
    [
      String.raw`(aws_secret_access_key|AWS_SECRET_ACCESS_KEY|SecretAccessKey|secretAccessKey)[\s"'=:]{1,8}[A-Za-z0-9/+]{40}`,
    ],
    { generic: true },
  ],
  ['AWS session token', ['(IQoJb3JpZ2luX2Vj|FwoGZXIvYXdz)[A-Za-z0-9/+=]{100,}']],
  ['Bedrock key', ['ABSK[A-Za-z0-9+/=]{100,280}', 'bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=]{20,}']],
  ['Google client secret', [String.raw`GOCSPX-[\w-]{28}`]],
  ['Google access token', [String.raw`ya29.[\w-]{40,1024}`, String.raw`1//0[\w-]{40,256}`]],
  ['Firebase key', [String.raw`AAAA[\w-]{7}:[\w-]{140}`]],
  [
    'Azure storage key',
    ['(AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,86}==', '(AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{43}='],
  ],
  ['Azure client secret', ['(0|1|2|3|4|5|6|7|8|9)Q~[A-Za-z0-9_~.-]{31,34}'], { insideWord: true }],
  ['Alibaba key', ['LTAI[A-Za-z0-9]{20}']],
  ['Tencent key', ['AKID[A-Za-z0-9]{32}']],
  ['Yandex key', [String.raw`AQVN[\w-]{35,38}`]],
  ['DigitalOcean token', ['do(o|p|r)_v1_[a-f0-9]{64}']],
  ['Heroku key', ['HRKU-AA[A-Za-z0-9_-]{58}']],
  ['Fly token', [String.raw`fo1_[\w-]{43}`, 'fm(1a|1r|2)_[A-Za-z0-9+/=]{100,}']],
  ['Netlify token', ['nf(p|c|o|u|b)_[A-Za-z0-9]{36,40}']],
  ['Supabase key', ['sbp_[a-f0-9]{40}', String.raw`sb_secret_[\w-]{20,64}`]],
  ['Neon key', ['napi_[a-z0-9]{60,70}']],
  ['PlanetScale token', [String.raw`pscale_(tkn|oauth|pw)_[\w=.-]{32,64}`]],
  ['Render key', ['rnd_[A-Za-z0-9]{28,40}']],
  ['Cloudflare key', ['v1.0-[a-f0-9]{24}-[a-f0-9]{146}']],
  ['Tailscale key', ['tskey-(auth|api|client|webhook)-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{16,48}']],
  ['Vault token', [String.raw`hv(s|b|r).[\w-]{60,300}`]],
  ['Doppler token', ['dp.(pt|st|ct|sa|scim|audit).[A-Za-z0-9._-]{40,80}']],
  ['Databricks token', ['dapi[a-f0-9]{32}']],
  ['OpenShift token', [String.raw`sha256~[\w-]{43}`]],
  [
    '1Password token',
    ['ops_eyJ[A-Za-z0-9+/=]{250,}', 'A3-[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}'],
  ],
];

const SERVICES: readonly Row[] = [
  ['Stripe key', ['(sk|rk)_(live|test|prod)_[A-Za-z0-9]{16,255}', 'whsec_[A-Za-z0-9+/=]{32,64}']],
  ['Square token', [String.raw`sq0(atp|csp|idp)-[\w-]{22,64}`, String.raw`EAAA[\w-]{56,64}`]],
  ['Facebook token', ['EAA(M|C)[A-Za-z0-9]{100,}']],
  ['Shopify token', ['shp(at|ca|pa|ss)_[a-fA-F0-9]{32}']],
  [
    'Plaid token',
    ['access-(sandbox|development|production)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}'],
  ],
  ['Slack token', ['xox(a|b|p|r|s|o|e|e.xoxb|e.xoxp)-[A-Za-z0-9-]{10,255}', 'xapp-[0-9]{1}-[A-Za-z0-9-]{20,255}']],
  ['Slack webhook', ['hooks.slack.com/(services|workflows|triggers)/[A-Za-z0-9+/]{40,80}'], { insideWord: true }],
  [
    'Discord webhook',
    [String.raw`(discord|discordapp).com/api/webhooks/[0-9]{17,20}/[\w-]{60,80}`],
    { insideWord: true },
  ],
  [
    'Teams webhook',
    ['.webhook.office.com/webhookb2/[a-z0-9@-]{70,80}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9-]{36}'],
    { insideWord: true },
  ],
  ['Telegram token', [String.raw`:AA[\w-]{33}`], { insideWord: true }],
  ['Twilio key', ['SK[a-f0-9]{32}']],
  ['SendGrid key', [String.raw`SG.[\w-]{20,24}.[\w-]{39,50}`]],
  ['Brevo key', ['x(keysib|smtpsib)-[a-f0-9]{64}-[A-Za-z0-9]{16}']],
  ['Resend key', ['re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,32}']],
  ['MailerSend token', ['mlsn.[a-f0-9]{60,70}']],
  ['Postman key', ['PMAK-[a-f0-9]{24}-[a-f0-9]{34}']],
  ['Sentry token', ['sntryu_[a-f0-9]{64}', 'sntrys_eyJ[A-Za-z0-9+/=_]{60,}']],
  ['Grafana token', ['glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}', 'glc_[A-Za-z0-9+/=]{32,400}']],
  ['Dynatrace token', ['dt0c01.[A-Za-z0-9]{24}.[A-Za-z0-9]{64}']],
  ['New Relic key', ['NR(AK|IQ|RA)-[A-Z0-9]{27}', 'NRJS-[a-f0-9]{19}']],
  ['Linear key', ['lin_(api|oauth)_[A-Za-z0-9]{40}']],
  ['Notion token', ['ntn_[A-Za-z0-9]{40,50}', 'secret_[A-Za-z0-9]{43}']],
  ['Airtable token', ['pat[A-Za-z0-9]{14}.[a-f0-9]{64}']],
  ['Figma token', [String.raw`figd_[\w-]{40,48}`]],
  ['HubSpot token', ['pat-(na1|eu1|na2|ap1)-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}']],
  ['Contentful token', [String.raw`CFPAT-[\w-]{43}`]],
  ['Typeform token', [String.raw`tfp_[\w-]{40,64}`]],
  ['Mapbox token', [String.raw`sk.eyJ[\w-]{40,128}.[\w-]{20,32}`]],
  ['Dropbox token', [String.raw`sl.(u.|B|)[\w-]{120,}`]],
  ['EasyPost key', ['EZ(AK|TK)[A-Za-z0-9]{54}']],
  ['Shippo token', ['shippo_(live|test)_[a-f0-9]{40}']],
  ['Duffel token', [String.raw`duffel_(live|test)_[\w=-]{43}`]],
  ['Prefect key', ['pn(u|b)_[A-Za-z0-9]{36}']],
  ['Infracost key', ['ico-[A-Za-z0-9]{32}']],
  ['ReadMe key', ['rdme_[a-z0-9]{70}']],
  ['Twitch token', ['oauth:[a-z0-9]{30}']],
  ['Adobe secret', ['p8e-[A-Za-z0-9]{32}']],
  ['Harness token', [String.raw`(pat|sat).[\w-]{22}.[A-Za-z0-9]{24}.[A-Za-z0-9]{20}`]],
];

export const SHAPES: readonly SecretShape[] = [...KEYS, ...MODELS, ...CODE_HOSTS, ...CLOUDS, ...SERVICES].flatMap(
  ([name, patterns, options]) => patterns.flatMap((pattern) => shapesOf(name, pattern, options)),
);
