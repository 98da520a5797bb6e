"""What a batch does with a platform: publications, participations, payments and rounds; also invitations."""
