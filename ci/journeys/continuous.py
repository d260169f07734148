"""In a CI: what is written where the CI reads it."""

from journeys.stage import PACKAGE, PROBLEM, SUM


def github(stage):
    stage.package(changes={"submissions/accepted/minus.py": "a, b = map(int, input().split())\nprint(a - b)\n"})
    stage.write({"summary.md": ""})
    stage.run("judge verify --ci", 1, [r"^::error "], env={"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_STEP_SUMMARY": str(
        stage.directory / "summary.md")})
    stage.run("cat summary.md", 0, r"accepted/minus\.py")


def gitlab(stage):
    stage.package()
    stage.run("judge verify --ci", 0, env={"GITLAB_CI": "true", "CI": "true"})
    stage.run("ls *.xml *.json", 0, [r"\.xml", r"\.json"])


def stored(stage):
    stage.package()
    stage.run("judge run --json=run.jsonl", 0)
    stage.run("judge report run.jsonl --report html=page.html --report junit=report.xml", 0)
    stage.run("grep -c testcase report.xml", 0)
    stage.run("judge run --json=/nowhere/run.jsonl", 4, "/nowhere/run.jsonl")


def changed_only(stage):
    stage.package()
    stage.write({f"problems/other/{name}": text for name, text in PACKAGE.items()} | {
        "problems/other/problem.yaml": PROBLEM.replace("8a5b1c9e", "22222222")})
    stage.run("git init -q . && git add -A && git -c user.name=a -c user.email=a@example.org commit -qm one", 0)
    stage.run("judge verify --since HEAD", 0, "nothing changed")
    stage.write({"problems/other/submissions/accepted/again.py": SUM + "\n"})
    stage.run("judge run --since HEAD", 0, "other", "pairsum")


def shards(stage):
    stage.package()
    stage.run("judge run --shard 1/2 --events out", 0)
    stage.run("judge merge out", 4, "2")
    stage.run("judge run --shard 2/2 --events out", 0)
    stage.run("judge merge out", 0, "2 submissions as expected")


JOURNEYS = {
    "annotations and a summary on GitHub": github,
    "reports on GitLab": gitlab,
    "a run that is stored": stored,
    "only what changed": changed_only,
    "shards": shards,
}
