import { settingsRules } from './rule.ts';

export const JAVA_SETTINGS = settingsRules('java', [
  { what: 'Maven build file', files: ['pom.xml', '.mvn/**', 'mvnw', 'mvnw.cmd'] },
  {
    what: 'Gradle build file',
    files: ['*.gradle', '*.gradle.kts', 'gradle.properties', 'gradle/**', 'gradlew', 'gradlew.bat', 'buildSrc/**'],
  },
  { what: 'Ant build file', files: ['build.xml', 'ivy.xml', 'build.properties'] },
  {
    what: 'sbt or Bazel build file',
    files: ['build.sbt', 'project/*.sbt', 'project/build.properties', '.sbtopts', '.jvmopts'],
  },
  {
    what: 'JUnit settings',
    files: [
      'junit-platform.properties',
      'META-INF/services/org.junit.*',
      'META-INF/services/org.testng.*',
      'testng.xml',
    ],
    planted: 'anywhere',
  },
]);
